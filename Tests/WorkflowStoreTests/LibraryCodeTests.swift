import Testing
import WorkflowKit
import WorkflowLua
import WorkflowStore

@Suite struct LibraryCodeTests {
    @Test func storedCodeHasTheFilesOfLibraries() {
        let tree = FlowModules.libraryFolder
        let code = FlowCode(
            hash: "1", main: "flow.lua",
            files: ["flow.lua": "require 'a' require 'x'", tree + "a.lua": "return require 'b'"])
        let modules = FlowModules([tree + "b/init.lua": "return 2", "x.init": "return 3"])
        guard case .text(_, _, let texts) = code.source(completedBy: modules) else {
            Issue.record("it is no text")
            return
        }
        #expect(
            texts == [
                tree + "a.lua": "return require 'b'", tree + "b/init.lua": "return 2",
                "x.init": "return 3",
            ])
    }
}
