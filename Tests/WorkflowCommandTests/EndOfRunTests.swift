import Foundation
import PlainValue
import TestSupport
import Testing

@Suite struct EndOfRunTests {
    private let files = [
        "flow.lua": """
        local function spin()
            for _ = 1, math.huge do end
        end

        return {
            state = { n = 0 },
            apply = {
                add = function(state) state.n = state.n + 1 end,
                spin = spin,
            },
            render = function(state) return { n = state.n } end,
        }
        """
    ]

    @Test func anUngrantedWorkerOfALaterRenderEndsTheRunAsOneOfTheFirstDoes() async throws {
        let flow = """
            return {
                state = {},
                apply = { read = function(state) state.reads = true end },
                render = function(state, context)
                    if state.reads then
                        context:run("file.read", { path = "x" }, { on_output = "read" })
                    end
                    return {}
                end,
            }
            """
        let outcome = try await Folder(["flow.lua": flow]).run("flow.lua", input: "read\n")
        #expect(outcome.stderr.hasPrefix("error: worker 'file.read': file.read="))
        #expect(outcome.status == 69)
    }

    @Test(arguments: [
        ([], "add\n.undo\n"), (["--json"], #"{"do":"send","action":"add"}\#n{"do":"undo"}\#n"#),
    ])
    func aWorkerThatIsHeldInThePastKeepsNoRunAlive(_ options: [String], input: String) async throws
    {
        let flow = """
            return {
                state = { n = 0 },
                apply = { add = function(state) state.n = state.n + 1 end },
                render = function(state, context)
                    if state.n == 0 then
                        context:run("clock.after", { seconds = 1000000 }, { on_output = "add" })
                    end
                    return { n = state.n }
                end,
            }
            """
        let outcome = try await Folder(["flow.lua": flow]).run(
            ["flow.lua", "--timeout", "100"] + options, input: input)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    // MARK: The end of the input

    private static let sleeper = """
        return {
            state = { n = 0 },
            apply = {
                add = function(state) state.n = state.n + 1 end,
                fail = function() error("no") end,
            },
            render = function(state, context)
                context:run("clock.after", { seconds = 3600 }, { on_output = "add" })
                return { n = state.n }
            end,
        }
        """

    @Test(arguments: ["bogus\n", "add\nfail\nadd\n", "add{\n", "add\nnothing.here\n"])
    func theEndOfTheInputAfterAFailureEndsARun(_ input: String) async throws {
        let outcome = try await Folder(["flow.lua": Self.sleeper]).run("flow.lua", input: input)
        #expect(outcome.stderr.hasPrefix("error: "))
        #expect(outcome.status == 65)
    }

    @Test(arguments: [[], ["--json"]])
    func aRunThatWaitsTellsForWhat(_ options: [String]) async throws {
        let program = try await Folder(["flow.lua": Self.sleeper]).start(["flow.lua"] + options)
        try program.closeInput()
        let note = await program.errorLine()
        #expect(
            note?.hasPrefix("note: the input has ended; waiting for clock.after in flow, due in ")
                == true)
        program.send(SIGTERM)
        #expect(try await program.finish(closingInput: false).status == 143)
    }

    // MARK: Requests from outside

    @Test func timeoutEndsARunWhoseInputStaysOpen() async throws {
        // Time enough for the first rendering.
        let program = try await Folder(files).start(["flow.lua", "--timeout", "5"])
        let outcome = try await program.finish(closingInput: false)
        #expect(outcome.stdout == "rendering { n = 0 }\n")
        #expect(outcome.stderr == "error: the run took longer than its --timeout\n")
        #expect(outcome.status == 75)
    }

    @Test func timeoutIsAnEventInJSON() async throws {
        let program = try await Folder(files).start(["flow.lua", "--json", "--timeout", "5"])
        let outcome = try await program.finish(closingInput: false)
        let events = try Events(outcome.stdout)
        #expect(events.text("done") == #"{"exit":75,"reason":"timeout"}"#)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 75)
    }

    @Test(arguments: [(SIGINT, 130, "interrupted"), (SIGTERM, 143, "terminated")])
    func signalEndsARunGracefully(_ signal: Int32, _ status: Int, _ reason: String) async throws {
        let program = try await Folder(files).start(["flow.lua", "--json"])
        _ = await program.line()
        _ = await program.line()
        program.send(signal)
        #expect(try #require(await program.line()).contains(#""reason":"\#(reason)""#))
        let outcome = try await program.finish(closingInput: false)
        #expect(outcome.stderr == "")
        #expect(outcome.status == Int32(status))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)])
    func signalEndsAPlainRunWithoutAWord(_ signal: Int32, _ status: Int) async throws {
        let program = try await Folder(files).start(["flow.lua"])
        #expect(await program.line() == "rendering { n = 0 }\n")
        program.send(signal)
        let outcome = try await program.finish(closingInput: false)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "")
        #expect(outcome.status == Int32(status))
    }

    @Test func signalDoesNotWaitBehindALongInput() async throws {
        let program = try await Folder(files).start(["flow.lua", "--quiet", "--keep-going"])
        let feed = program.feed("add\n")
        #expect(await feed.first { $0 > 10_000 } != nil)
        program.send(SIGTERM)
        let outcome = try await program.finish(closingInput: false)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 143)
    }

    @Test(arguments: [(SIGINT, 130, "interrupted"), (SIGTERM, 143, "terminated")])
    func busyFlowIsInterruptedSoThatTheRunEndsGracefully(
        _ signal: Int32, _ status: Int, _ reason: String
    ) async throws {
        let scene = try Folder(files)
        let program = try await scene.start(
            ["flow.lua", "--json", "--max-time", "1000", "--record", "session.jsonl"])
        program.write(#"{"do":"send","action":"spin"}"# + "\n")
        var lines = ""
        for _ in 1...3 { lines += await program.line() ?? "" }
        program.send(signal)
        let outcome = try await program.finish(closingInput: false)
        let events = try Events(lines + outcome.stdout)
        #expect(events.types == ["ready", "rendering", "action", "error", "done"])
        #expect(
            events.text("error")
                == #"{"code":"interrupted","location":{"file":"flow.lua","line":2},"#
                + #""message":"the call was interrupted","node":"flow","phase":"apply.spin","#
                + #""trace":[{"file":"flow.lua","line":2}]}"#)
        #expect(events.text("done") == #"{"exit":\#(status),"reason":"\#(reason)"}"#)
        #expect(outcome.stderr == "")
        #expect(outcome.status == Int32(status))
        // The recording holds all of it, and can be played again without the spin.
        let recorded = try scene.text(of: "session.jsonl")
            .replacing(#/,"sum":"[0-9a-f]{16}"}/#, with: "}")
        #expect(recorded == lines + outcome.stdout)
        let replay = try await scene.run("replay", "session.jsonl")
        #expect(replay.stderr == "")
        #expect(replay.stdout == "✓ flow: 1 step, all as recorded\n")
    }

    @Test func signalBeforeTheFirstRenderingEndsTheRun() async throws {
        let scene = try Folder(["flow.lua": "print('loading')\nwhile true do end"])
        let program = try await scene.start(["flow.lua", "--json", "--max-time", "1000"])
        #expect(try #require(await program.line()).contains(#""message":"loading""#))
        program.send(SIGINT)
        let outcome = try await program.finish(closingInput: false)
        #expect(outcome.stdout.contains(#""message":"the call was interrupted""#))
        #expect(
            outcome.stdout.hasSuffix(#""reason":"interrupted","seq":3,"type":"done","v":1}"# + "\n")
        )
        #expect(outcome.stderr == "")
        #expect(outcome.status == 130)
    }

    @Test func interruptedCallIsAnErrorWithItsPlace() async throws {
        let scene = try Folder(["flow.lua": "print('loading')\nwhile true do end"])
        // Time enough to come to the loop.
        let program = try await scene.start(["flow.lua", "--max-time", "1000", "--timeout", "5"])
        let outcome = try await program.finish(closingInput: false)
        #expect(
            outcome.stderr == """
                flow.lua:1: loading
                error: the call was interrupted
                  ┌─ flow.lua:2
                  │
                1 │ print('loading')
                2 │ while true do end
                  │

                """)
        #expect(outcome.status == 75)
    }

    @Test func unreadOutputDelaysTheEndBriefly() async throws {
        let scene = try Folder([
            // More than a pipe holds.
            "flow.lua": "return { render = function() return ('x'):rep(1000000) end }"
        ])
        let pipe = Pipe()
        let program = try await scene.start(["flow.lua"], output: .file(pipe.fileHandleForWriting))
        #expect(pipe.fileHandleForReading.readData(ofLength: 10) == Data("rendering ".utf8))
        program.send(SIGTERM)
        let outcome = try await program.finish(closingInput: false)
        #expect(outcome.stderr == "error: the run was busy and has been cut short\n")
        #expect(outcome.status == 143)
        withExtendedLifetime(pipe) {}
    }

    @Test func secondSignalEndsABusyRunAtOnce() async throws {
        let program = try await Folder(files).start(["flow.lua", "--json", "--max-time", "1000"])
        program.write(#"{"do":"send","action":"spin"}"# + "\n")
        for _ in 1...3 { _ = await program.line() }
        program.send(SIGTERM)
        // Signals of one kind that wait together are one signal, so the second is of another kind.
        program.send(SIGINT)
        let outcome = try await program.finish(closingInput: false)
        // A run that is only cut short when its time is over says so.
        #expect(outcome.stderr == "")
        #expect([130, 143].contains(outcome.status))
    }

    @Test func closedOutputEndsTheRunQuietly() async throws {
        let program = try await Folder(files).start(["flow.lua"], output: .closed)
        program.write("add\nadd\nadd\n")
        let outcome = try await program.finish(closingInput: false)
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
    }

    /// A limit makes the disk look full.
    @Test(arguments: [[], ["--json"]])
    func aFullRecordingEndsTheRunInTheWayOfAFullOutput(_ options: [String]) async throws {
        let scene = try Folder(files)
        let program = try await RunningProgram(
            [
                "-c", #"trap "" XFSZ; ulimit -f 1; exec "$0" "$@""#,
                try Repository.workflowRun().path, "flow.lua", "--record", "s.jsonl",
            ] + options, of: URL(fileURLWithPath: "/bin/sh"), in: scene.path)
        let line = options.isEmpty ? "add\n" : #"{"do":"send","action":"add"}"# + "\n"
        program.write(String(repeating: line, count: 100))
        let outcome = try await program.finish()
        #expect((outcome.stdout + outcome.stderr).contains("the recording s.jsonl ends here"))
        #expect(outcome.status == 74)
        // One that cannot be read is another matter.
        let replayed = try await scene.run("replay", "flow.lua")
        #expect(replayed.status == 65)
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [[], ["--json"]])
    func outputThatCannotBeWrittenIsAnError(_ options: [String]) async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let program = try await Folder(files).start(["flow.lua"] + options, output: .file(full))
        let outcome = try await program.finish(closingInput: false)
        #expect(
            outcome.stderr == "error: standard output cannot be written: No space left on device\n")
        #expect(outcome.status == 74)
    }
}
