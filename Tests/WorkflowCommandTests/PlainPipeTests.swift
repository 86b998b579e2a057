import TestSupport
import Testing

@Suite struct PlainPipeTests {
    private let files = [
        "flow.lua": #"""
        return {
            state = { text = "" },
            apply = {
                add = function(state, action)
                    assert(action.text ~= "bad", "no such text")
                    state.text = state.text .. (action.text or "x")
                end,
                say = function(_, action) print(action.text, 1, nil) end,
                paint = function() error("red \27[31m and \7 and\nmore") end,
                finish = function(state) return { ["\27[1m"] = state.text } end,
            },
            render = function(state) return { text = state.text } end,
        }
        """#
    ]

    @Test(arguments: [
        "add", "  add  ", "add{}", "add { }", "{ type = \"add\" }", "{type='add'}",
        #"{"type":"add"}"#, #""add""#, #"{"$sink":{"node":"flow","action":{"type":"add"}}}"#,
        "add{ text = ('x'):rep(1) }",
    ]) func actionIsWrittenInAnyOfItsSpellings(_ line: String) async throws {
        let outcome = try await Folder(files).run("flow.lua", input: line)
        #expect(outcome.stderr == "")
        #expect(outcome.stdout == "rendering { text = \"\" }\nrendering { text = \"x\" }\n")
        #expect(outcome.status == 0)
    }

    @Test func fieldsOfAnActionArriveInAnySpelling() async throws {
        let input = """
            add{ text = "a" }
            { type = "add", text = "b" }
            {"type": "add", "text": "c"}
            add{ text = "\\u{e9}" }

            """
        let outcome = try await Folder(files).run("flow.lua", input: input)
        #expect(outcome.stderr == "")
        #expect(outcome.stdout.split(separator: "\n").last == #"rendering { text = "abcé" }"#)
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        (
            "???",
            #"""
            error: not an action: "???"
            help: write add, add{ text = "milk" } or {"type": "add", "text": "milk"}

            """#
        ),
        (
            "3",
            #"""
            error: there is no action with the number 3
            help: write an action, such as add{ text = "milk" }

            """#
        ),
        (
            "add text",
            #"""
            error: not an action: "add text"
            help: write add, add{ text = "milk" } or {"type": "add", "text": "milk"}

            """#
        ),
        (
            "{ text = 1 }",
            """
            error: an action has no type: { text = 1 }
            help: give it a type, such as { type = "add" }

            """
        ),
    ])
    func lineThatIsNoActionIsAnErrorAndTheRunGoesOn(_ line: String, _ stderr: String) async throws {
        let outcome = try await Folder(files).run("flow.lua", input: line + "\nadd\n")
        #expect(outcome.stderr == stderr)
        #expect(outcome.stdout == "rendering { text = \"\" }\nrendering { text = \"x\" }\n")
        #expect(outcome.status == 65)
    }

    @Test func lineThatIsNoTextIsAnError() async throws {
        let program = try await Folder(files).start(["flow.lua"])
        program.write(bytes: [0x61, 0xFF, 0x0A])
        let outcome = try await program.finish()
        #expect(outcome.stderr == "error: the line is not UTF-8 text\n")
        #expect(outcome.status == 65)
    }

    @Test func lastLineNeedsNoEndAndEmptyLinesAreNothing() async throws {
        let outcome = try await Folder(files).run("flow.lua", input: "\n  \nadd\r\nadd")
        #expect(outcome.stdout.split(separator: "\n").count == 3)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    @Test(
        arguments: [
            ["flow.lua", "--props", "@props.json"], ["flow.lua", "--props", "-"],
            ["flow.lua", "--allow", "@grants"], ["flow.lua", "--restore", "saved.json"],
            ["flow.lua"], ["repl", "flow.lua"], ["flow.lua", "--json"],
        ])
    func aByteOrderMarkBeforeATextSaysNothing(arguments: [String]) async throws {
        let mark = "\u{FEFF}"
        let more = [
            "props.json": "\(mark){\"n\":1}\r\n", "grants": "\(mark)# one\r\nfile.read=.\r\n",
        ]
        let scene = try Folder(files.merging(more) { $1 })
        _ = try await scene.run("flow.lua", "--quiet", "--save", "saved.json")
        try scene.write(mark + scene.text(of: "saved.json"), to: "saved.json")
        let input =
            arguments.contains("-")
            ? "{}" : arguments.contains("--json") ? #"{"do":"send","action":"add"}"# : "add"
        let outcome = try await scene.run(arguments, input: mark + input + "\n")
        #expect(outcome.stderr == "")
        #expect(!outcome.stdout.contains(#""type":"error""#))
        #expect(outcome.status == 0)
    }

    @Test func failedActionLetsTheRunGoOnAndEndWith65() async throws {
        let outcome = try await Folder(files)
            .run("flow.lua", "--quiet", input: "add{ text = \"bad\" }\nadd\nfinish\n")
        #expect(outcome.stdout == #"output { ["\u{1B}[1m"] = "x" }"# + "\n")
        #expect(outcome.stderr.hasPrefix("error: no such text\n"))
        #expect(outcome.status == 65)
    }

    @Test func errorThatAWorkerCausesEndsTheRunWith65Too() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { n = 0 },
                apply = { ring = function() error("no luck") end },
                render = function(state, context)
                    context:run("clock.after", { seconds = 0.01 }, { on_output = "ring" })
                    return { n = state.n }
                end,
            }
            """
        ])
        let outcome = try await scene.run("flow.lua")
        #expect(outcome.stdout == "rendering { n = 0 }\n")
        #expect(outcome.stderr.hasPrefix("error: no luck\n"))
        #expect(outcome.status == 65)
    }

    @Test func firstOutputEndsTheRun() async throws {
        let outcome = try await Folder(files).run("flow.lua", input: "finish\nadd\nfinish\n")
        #expect(
            outcome.stdout == #"""
                rendering { text = "" }
                output { ["\u{1B}[1m"] = "" }

                """#)
        #expect(outcome.status == 0)
    }

    @Test func quietRunThatKeepsGoingPrintsAllOutputsAndNothingElse() async throws {
        let outcome = try await Folder(files)
            .run("flow.lua", "--quiet", "--keep-going", input: "finish\nadd\nfinish\n")
        #expect(
            outcome.stdout == #"""
                output { ["\u{1B}[1m"] = "" }
                output { ["\u{1B}[1m"] = "x" }

                """#)
        #expect(outcome.status == 0)
    }

    @Test func printedLinesGoToStandardErrorWithTheirPlace() async throws {
        let outcome = try await Folder(files).run("flow.lua", input: #"say{ text = "hello" }"#)
        #expect(outcome.stdout == "rendering { text = \"\" }\n")
        #expect(outcome.stderr == "flow.lua:8: hello    1    nil\n")
        #expect(outcome.status == 0)
    }

    @Test func controlCharactersOfAScriptNeverReachTheOutputRaw() async throws {
        let outcome = try await Folder(files)
            .run(
                "flow.lua",
                input: #"""
                    add{ text = "\27[2J\7\u{202E}\u{9b}" }
                    say{ text = "\27]0;title\7" }
                    paint

                    """#)
        #expect(
            outcome.stdout == #"""
                rendering { text = "" }
                rendering { text = "\u{1B}[2J\u{7}\u{202E}\u{9B}" }

                """#)
        #expect(
            outcome.stderr == #"""
                flow.lua:8: \u{1B}]0;title\u{7}    1    nil
                error: red \u{1B}[31m and \u{7} and\nmore
                   ┌─ flow.lua:9
                   │
                 8 │         say = function(_, action) print(action.text, 1, nil) end,
                 9 │         paint = function() error("red \27[31m and \7 and\nmore") end,
                10 │         finish = function(state) return { ["\27[1m"] = state.text } end,
                   │
                   = in apply.paint of flow
                   = the action was rolled back; the state is as before

                """#)
        let raw = (outcome.stdout + outcome.stderr).unicodeScalars
        #expect(!raw.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
    }
}
