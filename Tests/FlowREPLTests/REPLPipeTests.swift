import Foundation
import TestSupport
import Testing

@Suite struct REPLPipeTests {
    private func example(_ name: String) -> String { Repository.example(name) }

    @Test func commandsAreReadFromThePipeAndNothingIsDrawn() async throws {
        let outcome = try await Folder().run(
            "repl", example("todo"),
            input: "add{ text = \"milk\" }\n= #state.items\n.undo\n.exit\n= 2\n",
            environment: ["TERM": "xterm", "NO_COLOR": ""])
        #expect(
            outcome.stdout == """
                  + rows[1]   { done = false, text = "milk" }
                  ~ title     0 of 1 done                        was 0 of 0 done
                1
                  - rows[1]
                  ~ title     0 of 0 done                        was 0 of 1 done
                  At 0 of 1.

                """)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test func errorsGoToStandardErrorAndEndIn65() async throws {
        let outcome = try await Folder().run("repl", example("todo"), input: "ad\n= 1\nadd{ x")
        #expect(outcome.stdout == "1\n")
        #expect(
            outcome.stderr == """
                error: todo has no action 'ad'. Did you mean 'add'?
                error: the input ends within: add{ x

                """)
        #expect(outcome.status == 65)
    }

    @Test func lineThatIsNoTextIsAnError() async throws {
        let program = try await Folder().start(["repl"])
        program.write(bytes: [0xFF, 0x0A] + Array("= 1\n".utf8))
        let outcome = try await program.finish()
        #expect(outcome.stdout == "1\n")
        #expect(outcome.stderr == "error: the line is not UTF-8 text\n")
        #expect(outcome.status == 65)
    }

    @Test func colourIsThereIfItIsAskedFor() async throws {
        let outcome = try await Folder().run(
            "repl", example("counter"), "--color", "always", input: "increment\n")
        #expect(
            outcome.stdout
                == "  \u{1B}[33m~\u{1B}[0m count     1                                  \u{1B}[2mwas 0\u{1B}[0m\n"
        )
    }

    @Test func closedPipeEndsQuietly() async throws {
        let program = try await Folder().start(["repl", example("counter")], output: .closed)
        program.write("increment\nincrement\n")
        let outcome = try await program.finish()
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test func textBehindALineSwallowsNothing() async throws {
        let outcome = try await Folder().run(
            "repl", example("todo"),
            input: "= 1 2\nadd{ text = \"a\" } add{ text = \"b\" }\n= #state.items\n")
        #expect(outcome.stdout == "0\n")
        #expect(outcome.status == 65)
    }

    @Test func outputsAreWhole() async throws {
        let text = String(repeating: "x", count: 300)
        let scene = try Folder([
            "flow.lua": """
            return {
                apply = { go = function(_, action) return { text = action.text } end },
                render = function() return {} end,
            }
            """
        ])
        let outcome = try await scene.run("repl", "flow.lua", input: "go{ text = \"\(text)\" }\n")
        #expect(outcome.stdout == "  output      { text = \"\(text)\" }\n")
    }

    @Test func recordingIsOpenedAtItsEnd() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { n = 0 },
                apply = {
                    add = function(state, action) state.n = state.n + action.by end,
                },
                render = function(state) return { n = state.n } end,
            }
            """
        ])
        let run = try await scene.run(
            "flow.lua", "--record", "bug.jsonl", input: "add{ by = 2 }\nadd\n")
        #expect(run.status == 65)
        let outcome = try await scene.run("repl", "bug.jsonl", input: "= rendering.n\n.timeline\n")
        #expect(
            outcome.stdout.hasPrefix(
                "  Played 2 inputs. Workers are silent: what they did was recorded.\n2\n"))
        #expect(outcome.stdout.contains("add { by = 2 }"))
        #expect(outcome.stderr.hasPrefix("error: attempt to perform arithmetic on a nil value"))
        #expect(outcome.status == 0)
        let missing = try await scene.run("repl", "none.jsonl")
        #expect(missing.stderr.contains("there is no file none.jsonl"))
        #expect(missing.status == 66)
    }

    @Test func missingFlowIsAnError() async throws {
        let outcome = try await Folder().run("repl", "nowhere.lua")
        #expect(outcome.stderr.hasPrefix("error: there is no file nowhere.lua\n"))
        #expect(outcome.status == 66)
    }

    @Test func standardInputIsForCommands() async throws {
        let outcome = try await Folder().run("repl", "-")
        #expect(
            outcome.stderr.hasPrefix(
                "error: Standard input is what the commands are read from; give a file."))
        #expect(outcome.status == 64)
    }

    @Test func propsAndLimitsAreTaken() async throws {
        let outcome = try await Folder().run(
            "repl", example("counter"), "--props", "{\"step\": 5}", "--max-time", "0.5",
            input: "increment\n= props.step\n= (function() while true do end end)()\n")
        #expect(outcome.stdout == "  ~ count     5                                  was 0\n5\n")
        #expect(outcome.stderr.hasPrefix("error: stopped after 500 ms in one call\n"))
    }

    @Test func recordedSessionIsOneThatLoads() async throws {
        let scene = try Folder()
        let first = try await scene.run(
            "repl", example("counter"), "--record", "a.jsonl", input: "increment\nincrement\n")
        #expect(first.status == 0)
        let second = try await scene.run("repl", input: ".load a.jsonl\n= state.count\n")
        #expect(second.stdout.hasSuffix("counter  count=2\n2\n"))
    }

    @Test func recordingIsOfTheFirstSessionOnly() async throws {
        let scene = try Folder()
        let outcome = try await scene.run(
            "repl", example("counter"), "--record", "a.jsonl",
            input: "increment\n.load \(example("todo"))\nadd{ text = \"milk\" }\n.load a.jsonl\n")
        #expect(outcome.stdout.contains("Played 1 input."))
        #expect(outcome.stderr == "")
        let lines = try scene.text(of: "a.jsonl").split(separator: "\n")
        #expect(lines.filter { $0.contains("\"type\":\"ready\"") }.count == 1)
        #expect(!lines.contains { $0.contains("milk") })
    }

    @Test func snapshotIsSavedAndRestored() async throws {
        let scene = try Folder()
        let first = try await scene.run(
            "repl", example("counter"), "--save", "s.json", input: "increment\nincrement\n")
        #expect(first.status == 0)
        let second = try await scene.run(
            "repl", example("counter"), "--restore", "s.json",
            input: "= state.count\nincrement\n.test x\n")
        #expect(second.stdout == "2\n  ~ count     3                                  was 2\n")
        #expect(
            second.stderr == """
                error: the session went on from a snapshot, which a test cannot do
                help: start without --restore, and .test again

                """)
    }
}
