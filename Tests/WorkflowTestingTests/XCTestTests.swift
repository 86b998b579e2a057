import WorkflowTesting
import XCTest

final class XCTestTests: XCTestCase {
    func testAFailureFailsTheTest() {
        #if canImport(Darwin)
            XCTExpectFailure()
            WorkflowTester(of: Profile()).expectOutput("none")
        #endif
    }

    func testATesterWorksInXCTest() {
        let tester = WorkflowTester(of: Profile())
        tester.advance(by: .seconds(2))
        tester.expectRendering(\.title, "Ada 7")
        tester.finish()
    }
}
