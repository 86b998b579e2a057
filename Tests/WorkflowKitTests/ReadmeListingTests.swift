import PlainValue
import Testing
import WorkflowKit

@Suite struct ReadmeListingTests {
    @Test func theSessionOfTheReadmePlays() async throws {
        let file = #filePath.dropLast("Tests/WorkflowKitTests/ReadmeListingTests.swift".count)
        let session = try await FlowSession.open(.file(file + "Examples/todo/todo.lua")) { event in
            if case .output(let output) = event.kind { print(output) }
        }
        try await session.send(["type": "add", "text": "milk"])
        #expect(await session.rendering["title"] == "0 of 1 done")
    }
}
