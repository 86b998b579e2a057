import FlowTesting
import Foundation
import LibC
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@testable import FlowREPL

@Suite struct REPLFileTests {
    private func scene(_ example: String) throws -> Folder {
        var files: [String: String] = [:]
        let folder = Repository.path("Examples/\(example)")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasSuffix(".lua") && !name.hasSuffix("_test.lua") {
            files[name] = try Repository.text("Examples/\(example)/\(name)")
        }
        return try Folder(files)
    }

    @Test func snapshotIsGoneOnFrom() async throws {
        let scene = try scene("todo")
        let first = try await scene.run(
            "repl", "todo.lua",
            input: "add{ text = \"milk\" }\n.snapshot s.json\n.snapshot s.json\n.snapshot\n")
        #expect(first.stdout.hasSuffix("  Saved s.json, the state at step 1.\n"))
        #expect(
            first.stderr == """
                error: there is a file s.json already
                help: choose another name, or remove it
                error: .snapshot takes the path of a file
                help: write .snapshot FILE

                """)
        let second = try await scene.run(
            "repl", "todo.lua", "--restore", "s.json", input: "= rendering.title\n")
        #expect(second.stdout == "\"0 of 1 done\"\n")
        #expect(second.status == 0)
    }

    @Test func savedRecordingIsPlayedAgain() async throws {
        let scene = try scene("todo")
        let talk = try await Conversation(scene.path("todo.lua"))
        _ = await talk.say(
            "add{ text = \"milk\" }", "ad", "add{ text = \"tea\" }", ".undo", "rows[1].toggle",
            ".goto 9")
        let file = scene.path("bug.jsonl")
        #expect(await talk.answer(".save \(file)") == "  Saved \(file), 2 steps.\n")
        #expect(
            await talk.answer(".save \(file)") == """
                error: there is a file \(file) already
                help: choose another name, or remove it

                """)
        let other = try await Conversation(nil)
        let text = await other.say(".load \(file)", ".timeline", ".undo")
        #expect(
            text == """
                scratch> .load \(file)
                  Played 4 inputs. Workers are silent: what they did was recorded.
                todo  rows={ { done = true, text =…  title=1 of 1 done
                todo> .timeline
                     #  after  node    action                 from  changed
                     0         todo    (start)
                     1  0.0 s  todo    add { text = "milk" }  you   rows, title
                  ▸  2  2.0 s  item:1  toggle                 you   rows, title
                todo> .undo
                  ~ rows[1].done  false                            was true
                  ~ title         0 of 1 done                      was 1 of 1 done
                  At 1 of 2.

                """)
        let session = try await talk.session
        let loaded = try await other.session
        _ = await other.answer(".redo")
        #expect(await session.rendering == loaded.rendering)
    }

    @Test func recordingOfAChangedFlowSaysWhatDiffers() async throws {
        let scene = try scene("counter")
        let flow = scene.path("counter.lua")
        let talk = try await Conversation(flow)
        _ = await talk.say("increment", "increment", ".save \(scene.path("a.jsonl"))")
        let text = try scene.text(of: "counter.lua").replacingOccurrences(
            of: "state.count + step", with: "state.count + 5 * step")
        try Data(text.utf8).write(to: URL(fileURLWithPath: flow))
        let reply = await talk.repl.respond(to: ".load \(scene.path("a.jsonl"))")
        #expect(
            reply.messages.first { $0.kind == .notice }?.text
                == "note: 2 of 2 inputs are not as they were recorded, the first at step 1\n")
    }

    @Test func aRecordingOfAReloadShowsTheStateThatItKept() async throws {
        let text = """
            return {
                name = "sum",
                state = { sum = 0 },
                apply = { add = function(state) state.sum = state.sum + 1 end },
                render = function(state) return { sum = state.sum } end,
            }
            """
        let scene = try Folder(["sum.lua": text])
        let talk = try await Conversation(scene.path("sum.lua"))
        _ = await talk.say("add", "add", "add")
        try Data(text.replacing("+ 1", with: "+ 10").utf8)
            .write(to: URL(fileURLWithPath: scene.path("sum.lua")))
        _ = await talk.say(".reload", "add", ".save \(scene.path("a.jsonl"))")
        let difference = "  ~ sum       13                                 was 3\n"
        #expect(await talk.answer(".diff 3 4") == difference)
        let other = try await Conversation(nil)
        _ = await other.answer(".load \(scene.path("a.jsonl"))")
        #expect(await other.answer(".diff 3 4") == difference)
    }

    @Test func secretsAreNotSaved() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                name = "flow",
                state = {},
                apply = {
                    set = function(state, action) state.pin = action.pin end,
                    fail = function(state) local pin = state.pin error("no") end,
                },
                render = function(state) return { pin = state.pin } end,
            }
            """
        ])
        let file = scene.path("a.jsonl")
        let result = try await scene.run(
            "repl", "flow.lua", "--record", "r.jsonl", "--secret", "pin",
            input: "set {\"pin\": \"swordfish\"}\nfail\n.save \(file)\n")
        #expect(result.stdout.contains("1 step"), "\(result.stdout)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(#""pin":"[secret]""#))
        #expect(!text.contains("swordfish"))
    }

    @Test func loadOpensAFlowAndKeepsTheOldOneIfThatFails() async throws {
        let scene = try Folder(["bad.lua": "return {", "half.jsonl": "{\"type\":"])
        let talk = try await Conversation.example("counter")
        _ = await talk.answer("increment")
        #expect(await talk.answer(".load \(scene.path("bad.lua"))").hasPrefix("error: "))
        #expect(
            await talk.answer(".load \(scene.path("half.jsonl"))").hasPrefix(
                "error: not a recording: {\"type\":  "))
        #expect(
            await talk.answer(".load nowhere.lua") == """
                error: there is no file nowhere.lua that can be read
                help: give the path of a flow, or of a recording

                """)
        #expect(
            await talk.answer(".load") == """
                error: .load takes the path of a file
                help: write .load FILE

                """)
        #expect(await talk.answer("= state.count") == "1\n")
        let todo = Repository.example("todo")
        #expect(await talk.answer(".load \(todo)") == "todo  rows={}  title=0 of 0 done\n")
        #expect(await talk.repl.prompt == "todo> ")
    }

    @Test func reloadKeepsTheState() async throws {
        let scene = try scene("counter")
        let talk = try await Conversation(scene.path("counter.lua"))
        _ = await talk.answer("increment")
        let old = try scene.text(of: "counter.lua")
        let file = scene.url.appendingPathComponent("counter.lua")
        try Data(
            old.replacingOccurrences(of: "count = state.count,", with: "count = -state.count,").utf8
        ).write(to: file)
        #expect(
            await talk.answer(".reload") == """
                  ~ count     -1                                 was 1
                Reloaded; the state is as before.

                """)
        try Data(
            old.replacingOccurrences(of: "count + step", with: "count + 2 * step").utf8
        ).write(to: file)
        #expect(
            await talk.answer(".reload replay") == """
                  ~ count     2                                  was -1
                Reloaded; the inputs were played again.

                """)
        #expect(
            await talk.answer(".reload now") == """
                error: .reload takes nothing after it, or replay
                help: .help reload says what that does

                """)
        try Data("return {".utf8).write(to: file)
        #expect(await talk.answer(".reload").hasPrefix("error: "))
        #expect(await talk.answer("= rendering.count") == "2\n")
    }

    @Test func writtenTestPasses() async throws {
        let scene = try scene("todo")
        let talk = try await Conversation(scene.path("todo.lua"))
        _ = await talk.say(
            "add{ text = \"milk\" }", "ad", "rows[1].edit", "rows[1].rename{ text = \"oat milk\" }",
            "finish")
        let file = scene.path("renames_test.lua")
        #expect(await talk.answer(".test renames") == "  Wrote \(file), 4 steps.\n")
        #expect(
            try scene.text(of: "renames_test.lua") == """
                describe("todo", function()
                    it("renames", function()
                        local flow = workflow.test(require "todo")
                        flow:expect_rendering { rows = {}, title = "0 of 0 done" }
                        flow:send { type = "add", text = "milk" }
                        flow:expect_rendering {
                            rows = { { done = false, text = "milk" } },
                            title = "0 of 1 done",
                        }
                        flow:send(flow.rendering.rows[1].edit)
                        flow:send(flow.rendering.rows[1].rename, { text = "oat milk" })
                        flow:expect_rendering { rows = { { done = false, text = "oat milk" } } }
                        flow:send "finish"
                        flow:expect_output { count = 1 }
                    end)
                end)

                """)
        let results = try FlowTestFile(.file(file)).run()
        #expect(results.map { $0.failure == nil } == [true])
    }

    @Test func writtenTestPlaysWorkers() async throws {
        let scene = try scene("stopwatch")
        let talk = try await Conversation(scene.path("stopwatch.lua"))
        for count in 1...2 {
            try await talk.session.play(
                .worker(
                    .init(
                        node: "stopwatch", worker: "clock.every", key: "",
                        event: .output(["tick": .int(count)]))))
        }
        _ = await talk.say("lap", "pause", "resume", ".test laps")
        #expect(
            try scene.text(of: "laps_test.lua") == """
                describe("stopwatch", function()
                    it("laps", function()
                        local flow = workflow.test(require "stopwatch")
                        flow:expect_rendering { elapsed = 0, laps = {} }
                        flow:worker("clock.every"):output { tick = 1 }
                        flow:expect_rendering { elapsed = 1 }
                        flow:worker("clock.every"):output { tick = 2 }
                        flow:expect_rendering { elapsed = 2 }
                        flow:send "lap"
                        flow:expect_rendering { laps = { 2 } }
                        flow:send "pause"
                        flow:send "resume"
                        flow:loosely()  -- a worker is still at work
                    end)
                end)

                """)
        let results = try FlowTestFile(.file(scene.path("laps_test.lua"))).run()
        #expect(results.map { $0.failure == nil } == [true])
    }

    @Test(arguments: [
        (
            ".test",
            """
            error: .test takes a name of letters, digits, '-' and '_'
            help: write .test pays, which makes pays_test.lua
            """
        ), (".test ../x", "error: .test takes a name of letters, digits, '-' and '_'"),
        (".save", "error: .save takes the path of a file"),
        (
            ".save /no/such/folder/x",
            "error: /no/such/folder/x cannot be made: No such file or directory"
        ),
    ]) func filesThatCannotBeWrittenAreErrors(_ line: String, _ message: String) async throws {
        let talk = try await Conversation.example("counter")
        #expect(await talk.answer(line).hasPrefix(message + "\n"))
    }

    @Test func sessionThatCouldNotBeRecordedCannotBeSaved() async throws {
        let outcome = try await scene("counter").run(
            "repl", "counter.lua", input: "increment\n.save a.jsonl\n",
            environment: ["TMPDIR": "/no/such/folder"])
        #expect(outcome.stdout == "  ~ count     1                                  was 0\n")
        #expect(
            outcome.stderr == """
                error: the session could not be recorded
                help: there was no room for a temporary file; start with --record FILE

                """)
    }

    /// In a separate process, because the limit that makes the disk look full applies to all of it.
    @Test func sessionThatFillsTheDiskCannotBeSaved() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 2000, rlim_max: 2000)
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_FSIZE, &limit)
            #endif
            let talk = try await Conversation.example("counter")
            for _ in 1...20 { _ = await talk.answer("increment") }
            #expect(
                await talk.answer(".save /no/such/folder/a.jsonl") == """
                    error: the session could not be recorded: File too large
                    help: make room in the folder for temporary files, or start with --record FILE

                    """)
        }
    }

    @Test func scratchFlowHasNoTest() async throws {
        let talk = try await Conversation(nil)
        #expect(
            await talk.answer(".test x") == """
                error: the flow is in no file that a test could name
                help: start with a file: workflow-run repl flow.lua

                """)
    }
}
