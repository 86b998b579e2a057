import FlowPrinting
import FlowREPL
import TestSupport
import Testing
import WorkflowLua

@testable import WorkflowCommand

/// The options of the page; what the page's server does is tested with the server.
@Suite struct InspectOptionTests {
    @Test(arguments: [
        (["run", "f.lua", "--open"], "--open goes with --inspect."),
        (["run", "f.lua", "--inspect-scope", "act"], "--inspect-scope goes with --inspect."),
        (["repl", "--allow-host", "box"], "--allow-host goes with --inspect."),
        (["attach", "s", "--inspector-files", "."], "--inspector-files goes with --web."),
        (["attach", "s", "--web", "--json"], "--web and --json do not go together."),
        (
            ["run", "f.lua", "--inspect", "--allow-host", "http://box"],
            "--allow-host takes a name without a port, such as box.example."
        ),
        (
            ["replay", "f.jsonl", "--inspect", "--json"],
            "--inspect goes with none of --bisect, --skip, --log and --json."
        ),
    ]) func optionsThatDoNotFitAreRefused(_ arguments: [String], _ message: String) async throws {
        let outcome = try await Folder().run(arguments)
        #expect(
            outcome.stderr == "error: \(message)\nhelp: see workflow-run \(arguments[0]) --help\n")
        #expect(outcome.status == 64)
    }

    @Test(arguments: ["everything", "view,,act", ""])
    func scopesAreThoseOfAPage(_ scopes: String) async throws {
        #expect(PageScopes(argument: scopes) == nil)
        let outcome = try await Folder().run("run", "f.lua", "--inspect", "--inspect-scope", scopes)
        #expect(outcome.status == 64)
    }

    @Test func lookingIsAlwaysGranted() {
        #expect(PageScopes(argument: "evaluate,act")?.names == ["view", "act", "evaluate"])
        #expect(PageScopes(argument: "view")?.names == ["view"])
    }

    @Test func libraryThatIsNotThereIsToBeInstalled() throws {
        let folder = try Folder()
        let refusal = #expect(throws: Refusal.self) {
            _ = try InspectorLibrary.load(besideProgramIn: folder.path)
        }
        #expect(refusal?.status == .configuration)
        #expect(
            refusal?.error.message.hasPrefix(
                "the page cannot be served: libworkflow-inspector.") == true)
        #expect(refusal?.error.help == "install it with Scripts/install")
    }

    @Test func fileThatIsNoLibraryIsRefused() throws {
        let folder = try Folder()
        for ending in ["so", "dylib"] {
            try folder.write("no library", to: "libworkflow-inspector.\(ending)")
        }
        let refusal = #expect(throws: Refusal.self) {
            _ = try InspectorLibrary.load(besideProgramIn: folder.path)
        }
        #expect(refusal?.error.message.contains("cannot be loaded: ") == true)
    }
}
