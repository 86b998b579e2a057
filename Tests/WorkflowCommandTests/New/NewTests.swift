import Foundation
import TestSupport
import Testing
import WorkflowLua
import WorkflowPlugins

@testable import FlowPrinting
@testable import FlowREPL
@testable import WorkflowCommand

@Suite struct NewTests {
    @Test func newFlowIsMadeAndWhatIsNextIsSaid() async throws {
        let scene = try Folder()
        let outcome = try await scene.run("new", "my-flow")
        #expect(
            outcome.stdout == """
                made
                  my-flow/my-flow.lua
                  my-flow/my-flow_test.lua
                  my-flow/.luarc.json
                  my-flow/types/workflow.lua

                next
                  workflow-run my-flow/my-flow.lua   play it
                  workflow-run test my-flow          run its test
                  workflow-run check my-flow         look for mistakes

                """)
        // Which plugins are not built is another matter.
        #expect(
            outcome.stderr.split(separator: "\n").allSatisfy {
                $0.hasPrefix("note: the plugin ") && $0.contains("its workers have no types; ")
            })
        #expect(outcome.status == 0)
        let checked = try await scene.run("check", "my-flow", "--no-luacheck")
        #expect(checked.stdout == "")
        #expect(checked.stderr == "checked 2 files: no problems\n")
        let played = try await scene.run(
            "my-flow/my-flow.lua", "--props", #"{"start": 1}"#,
            input: "increment\nincrement{ by = 2 }\nfinish\n")
        #expect(played.stdout.hasSuffix("output { count = 4 }\n"))
        #expect(played.status == 0)
    }

    @Test func filesAreTheGoldenOnes() throws {
        let files = NewFlow(name: try FlowName(parsing: "my-flow"), types: "").files
        let text = files.map { "== \($0.path)\n\($0.text)" }.joined(separator: "\n")
        #expect(try GoldenPage("new-flow.txt").difference(from: text) == nil)
    }

    @Test func settingsForEditorsAreJSON() throws {
        let files = NewFlow(name: try FlowName(parsing: "a"), types: "").files
        let settings = try #require(files.first { $0.path == ".luarc.json" }?.text)
        let value = try JSONSerialization.jsonObject(with: Data(settings.utf8)) as? [String: Any]
        #expect(value?["workspace.library"] as? [String] == ["types"])
    }

    @Test func whatIsThereIsNotChanged() async throws {
        let scene = try Folder(["counter": "mine"])
        let outcome = try await scene.run("new", "counter")
        #expect(
            outcome.stderr == """
                error: counter is there already
                help: choose another name; what is there is never changed

                """)
        #expect(outcome.status == 64)
        let text = try String(
            contentsOf: scene.url.appendingPathComponent("counter"), encoding: .utf8)
        #expect(text == "mine")
    }

    @Test(arguments: [
        ("My Flow", "my_flow"), ("2nd", "nd"), ("a/b", "a_b"), ("../x", "x"), ("été", "t"),
        ("flow_", "flow"), ("a  b", "a_b"),
    ]) func nameThatIsNoneHasASuggestion(_ name: String, _ suggestion: String) throws {
        let refusal = try #require(throws: Refusal.self) {
            try NewCommand.make(name, types: "", in: nil)
        }
        #expect(
            refusal.error.message
                == "'\(name)' cannot be the name of a flow: a name has lower-case letters, digits, '_' and '-', and begins with a letter"
        )
        #expect(refusal.error.help == "try workflow-run new \(suggestion)")
        #expect(refusal.status == .usage)
    }

    @Test(arguments: ["", "…", "42"]) func nameWithNothingInItHasNone(_ name: String) throws {
        let refusal = try #require(throws: Refusal.self) {
            try NewCommand.make(name, types: "", in: nil)
        }
        #expect(refusal.error.help == nil)
    }

    @Test(arguments: [
        (
            "workflow",
            "'workflow' cannot be the name of a flow: require \"workflow\" is the host's",
            "my_workflow"
        ),
        (
            "todo_test",
            "'todo_test' cannot be the name of a flow: files that end with _test are tests", "todo"
        ),
    ])
    func nameThatIsTakenHasASuggestion(
        _ name: String, _ message: String, _ suggestion: String
    ) throws {
        let refusal = try #require(throws: Refusal.self) {
            try NewCommand.make(name, types: "", in: nil)
        }
        #expect(refusal.error.message == message)
        #expect(refusal.error.help == "try workflow-run new \(suggestion)")
    }

    @Test(arguments: [("a", "A"), ("shopping_list", "ShoppingList"), ("my-2nd", "My2nd")])
    func tableIsNamedAsTablesAre(_ name: String, _ table: String) throws {
        #expect(try FlowName(parsing: name).tableName == table)
    }
}
