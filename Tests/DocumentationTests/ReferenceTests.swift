import TestSupport
import Testing

/// The reference pages match `workflow-run types`, made from the table that checks the sandbox.
/// With `DOCUMENTATION_UPDATE=1` the pages are regenerated.
@Suite struct ReferenceTests {
    struct Reference: Sendable, CustomTestStringConvertible {
        var path: String
        var name: String
        var isForTests: Bool
        var testDescription: String { path }
    }

    static let pages = [
        Reference(
            path: "Sources/Flow/WorkflowLua/Documentation.docc/LuaAPI.md", name: "api",
            isForTests: false),
        Reference(
            path: "Sources/Flow/FlowTesting/Documentation.docc/TestAPI.md", name: "test-api",
            isForTests: true),
    ]

    @Test(arguments: pages) func referenceIsThatOfTheProgram(_ reference: Reference) async throws {
        let stage = try CommandFolder()
        let (shown, status) = try await stage.run(
            Command(text: "workflow-run types --output types"))
        try #require(status == 0, "\(shown)")
        let api = try APIText(definitions: stage.text("types/workflow.lua"))
        let lines = api.lines(forTests: reference.isForTests)
        let page = try Page(reference.path)
        let range = try #require(page.generated(reference.name))
        if CommandFolder.isUpdating {
            var updated = page.lines
            updated.replaceSubrange(range, with: lines)
            try page.write(updated)
        } else {
            #expect(Array(page.lines[range]) == lines, "\(page.path)")
        }
    }

    @Test func groupsAreOnAPage() async throws {
        let stage = try CommandFolder()
        _ = try await stage.run(Command(text: "workflow-run types --output types"))
        let api = try APIText(definitions: stage.text("types/workflow.lua"))
        let shown = Self.pages.flatMap { api.groups(forTests: $0.isForTests).map(\.title) }
        #expect(Set(shown) == Set(api.groups.map(\.title)))
        #expect(shown.count > 15)
    }
}
