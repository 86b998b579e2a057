import WorkflowTesting
import XCTest

final class XCTestTests: XCTestCase {
    func testAFailureFailsTheTest() {
        #if canImport(Darwin)
            XCTExpectFailure()
            WorkflowTester(workflow: Profile()).assert(output: "none")
        #endif
    }

    func testATesterWorksInXCTest() {
        let tester = WorkflowTester(workflow: Profile())
        tester.advance(by: .seconds(2))
        tester.assert(rendering: \.title, "Ada 7")
        tester.finish()
    }
}
