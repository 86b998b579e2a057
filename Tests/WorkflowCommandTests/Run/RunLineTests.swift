import TestSupport
import Testing

@Suite struct RunLineTests {
    private let files = [
        "flow.lua": """
        local Row = { name = "row", state = function(props) return { votes = 0 } end }
        Row.apply = {
            vote = function(state, action) state.votes = state.votes + (action.by or 1) end,
        }
        function Row.render(state, context)
            return { votes = state.votes, vote = context:sink("vote") }
        end

        local Flow = { name = "flow", state = { last = "" } }
        Flow.apply = { set = function(state, action) state.last = action.to or "nothing" end }
        function Flow.render(state, context)
            return {
                last = state.last, rows = { context:render(Row), context:render(Row, {}, { key = "b" }) },
            }
        end
        return Flow
        """
    ]

    private func last(_ lines: String) -> String {
        lines.split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test(arguments: [
        "rows[2].vote{ by = 3 }", "rows[2].vote {\"by\": 3}", "2{ by = 3 }", "2 { by = 3 }",
    ]) func sinksAreSentByPathAndNumber(_ line: String) async throws {
        let outcome = try await Folder(files).run("flow.lua", input: "rows[1].vote\n\(line)\n")
        #expect(outcome.stderr == "")
        #expect(
            last(outcome.stdout) == """
                rendering { last = "", rows = { { vote = "→ vote", votes = 1 }, { vote = "→ vote", votes = 3 } } }
                """)
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        (".state", "  last  \"\"\n"),
        (".state row:b", "  votes  0\n"),
        (".rendering rows[1].votes", "  0\n"),
        (".workers", "No node declares a worker.\n"),
        (".actions", "  set\n  rows[1].vote  → vote\n  rows[2].vote  → vote\n"),
    ]) func commandsShowWhatThereIs(_ line: String, _ text: String) async throws {
        let outcome = try await Folder(files).run("flow.lua", "--quiet", input: line + "\n")
        #expect(outcome.stderr == "")
        #expect(
            outcome.stdout.split(separator: "\n").map(\.trimmedText)
                == text.split(separator: "\n").map(\.trimmedText))
        #expect(outcome.status == 0)
    }

    @Test func stepsAreUndoneAndRedone() async throws {
        let outcome = try await Folder(files).run(
            "flow.lua",
            input: "set{ to = \"a\" }\nset{ to = \"b\" }\n.undo 2\n.redo\n.goto 2\n.exit\nset\n")
        let values = outcome.stdout.split(separator: "\n").map { line in
            line.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
        }
        #expect(outcome.stderr == "")
        #expect(values == [", rows = { { vote = ", "a", "b", ", rows = { { vote = ", "a", "b"])
        #expect(outcome.status == 0)
    }

    @Test func helpListsWhatARunTakes() async throws {
        let outcome = try await Folder(files).run(
            "flow.lua", "--quiet", input: ".help\n.help undo\n")
        for word in [".undo [n or mine]", "rows", "2 ", ".exit"] where word != "rows" {
            #expect(outcome.stdout.contains(word))
        }
        #expect(!outcome.stdout.contains(".timeline "))
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        ("help", "error: flow has no action 'help'\nhelp: .help shows what can be typed\n"),
        ("quit", "error: flow has no action 'quit'\nhelp: .exit leaves; so does Ctrl-D\n"),
        ("?", "error: not an action: \"?\"\nhelp: .help shows what can be typed\n"),
        (
            "rows[3].vote",
            """
            error: the rendering has no sink 'rows[3].vote'. Did you mean 'rows[1].vote'?
            help: see .actions for all that can be sent

            """
        ),
        (
            "3",
            "error: there is no action with the number 3\n"
                + "help: type a number from 1 to 2, or an action\n"
        ),
        (
            ".diff",
            """
            error: .diff is a command of the REPL
            help: explore the flow with workflow-run repl flow.lua; .help shows what a run takes

            """
        ),
        (".undo", "error: there is nothing to undo: this is the beginning\n"),
    ])
    func linesThatCannotBeServedSayWhatToType(_ line: String, _ text: String) async throws {
        let outcome = try await Folder(files).run("flow.lua", "--quiet", input: line + "\n")
        #expect(outcome.stderr == text)
        #expect(outcome.stdout == "")
        #expect(outcome.status == 65)
    }
}

extension Substring {
    fileprivate var trimmedText: String { split(separator: " ").joined(separator: " ") }
}
