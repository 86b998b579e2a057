import Foundation
import PlainValue
import TestSupport
import Testing
import WorkflowKit

@Suite struct ReplayTests {
    private let adder = """
        return {
            state = { n = 0 },
            apply = {
                add = function(state) state.n = state.n + 1 end,
                fail = function() error("no") end,
            },
            render = function(state) return { n = state.n } end,
        }
        """

    private func recorded(_ lines: String = "add\nadd\nadd\n") async throws -> Folder {
        let scene = try Folder(["adder.lua": adder])
        _ = try await scene.run("adder.lua", "--record", "s.jsonl", input: lines)
        return scene
    }

    @Test(arguments: Example.all)
    func eachExampleReplaysEqualAndGoesOnInAnotherProcess(_ example: Example) async throws {
        let folder = Repository.path("Examples/\(example.name)")
        let scene = try Folder()
        let requests = try example.input.split(separator: "\n")
        let (recording, snapshot) = (scene.path("s.jsonl"), scene.path("s.json"))
        let half = requests[..<(requests.count / 2)].joined(separator: "\n") + "\n"
        func play(_ input: String, _ options: [String]) async throws -> Events {
            let program = try await RunningProgram(
                example.arguments + ["--json"] + options, in: folder)
            program.write(input)
            let outcome = try await program.finish()
            #expect(outcome.status == 0)
            return try Events(outcome.stdout)
        }
        let whole = try await play(
            requests.joined(separator: "\n") + "\n", ["--record", recording])
        let replay = try await RunningProgram(["replay", recording], in: folder).finish()
        #expect(replay.stdout.hasSuffix(", all as recorded\n"))
        #expect(replay.status == 0)

        let first = try await play(half, ["--save", snapshot])
        let second = try await play(
            requests[(requests.count / 2)...].joined(separator: "\n") + "\n",
            ["--restore", snapshot])
        #expect(second.renderings.first == first.renderings.last)
        #expect(second.renderings.last == whole.renderings.last)
    }

    @Test func anEditedCopyShowsWhatItChangesStepByStep() async throws {
        let scene = try await recorded()
        try Data(adder.replacing("state.n + 1", with: "state.n * 2 + 1").utf8).write(
            to: scene.url.appendingPathComponent("edited.lua"))
        let outcome = try await scene.run("replay", "s.jsonl", "--flow", "edited.lua")
        #expect(
            outcome.stdout == """
                step 2, after add
                  ~ n         3                                   was 2
                step 3, after add
                  ~ n         7                                   was 3
                ✗ adder: 2 steps differ from the recording

                """)
        #expect(outcome.status == 1)
    }

    /// An edited flow that refuses an input makes fewer steps, so recorded step 2 is renumbered.
    @Test(arguments: [["--flow", "edited.lua"], ["--skip", "2"]])
    func movesGoWhereTheSameInputsLead(_ options: [String]) async throws {
        let doubling = adder.replacing(
            "fail =", with: "double = function(state) state.n = state.n * 2 end,\n        fail =")
        let scene = try Folder(["adder.lua": doubling, "edited.lua": adder])
        _ = try await scene.run(
            "repl", "adder.lua", "--record", "s.jsonl", input: "add\ndouble\nadd\n.undo\nadd\n")
        let outcome = try await scene.run(["replay", "s.jsonl"] + options)
        #expect(
            outcome.stdout.hasSuffix(
                """
                step 3, after add
                  ~ n         2                                   was 3
                step 3, after add
                  ~ n         2                                   was 3
                ✗ adder: \(options[0] == "--skip" ? 2 : 3) steps differ from the recording

                """))
        #expect(outcome.status == 1)
        #expect(outcome.stdout.contains("no action 'double'") == (options[0] == "--flow"))
    }

    @Test func aFailureThatIsGoneIsADifference() async throws {
        let scene = try await recorded("add\nfail\n")
        let same = try await scene.run("replay", "s.jsonl")
        #expect(same.stdout == "✓ adder: 2 steps, all as recorded\n")
        try Data(adder.replacing("error(\"no\")", with: "").utf8).write(
            to: scene.url.appendingPathComponent("edited.lua"))
        let edited = try await scene.run("replay", "s.jsonl", "--flow", "edited.lua")
        #expect(
            edited.stdout == """
                step 2, after fail
                  error  none
                  was    no
                ✗ adder: 1 step differs from the recording

                """)
        #expect(edited.status == 1)
    }

    @Test(arguments: [
        (["--bisect", "state.n > 1"], "step 2, after add\nrendering { n = 2 }\n", "", 0),
        (["--bisect", "state.n > 9"], "", "note: the expression holds at no step\n", 1),
        (["--to", "1"], "rendering { n = 1 }\n✓ adder: 1 step, all as recorded\n", "", 0),
        (
            ["--to", "9"], "",
            "error: there is no step 9\nhelp: the recording has 3 steps; 0 is the beginning\n", 65
        ),
        (
            ["--skip", "1", "--skip", "2"],
            """
            step 3, after add
              ~ n         1                                   was 3
            ✗ adder: 1 step differs from the recording

            """, "", 1
        ),
        (["--json"], #"{"differences":0,"flow":"adder","steps":3,"type":"replay"}"# + "\n", "", 0),
    ])
    func optionsSayWhatIsLookedFor(
        _ options: [String], _ stdout: String, _ stderr: String, _ status: Int32
    ) async throws {
        let outcome = try await recorded().run(["replay", "s.jsonl"] + options)
        #expect(outcome.stdout == stdout)
        #expect(outcome.stderr == stderr)
        #expect(outcome.status == status)
    }

    @Test func linesAreLoggedAfterTheFact() async throws {
        let scene = try await recorded("add\nfail\nadd\n")
        let point = "adder.lua:4: n was {state.n}"
        let one = try await scene.run("replay", "s.jsonl", "--log", point)
        #expect(
            one.stdout == """
                  step  node      in            line
                     1  adder     apply.add     adder.lua:4   n was 0
                     2  adder     apply.add     adder.lua:4   n was 1
                2 hits in 3 steps

                """)
        #expect(one.status == 0)
        let where1 = try await scene.run(
            "replay", "s.jsonl", "s.jsonl", "--log", "adder.lua:4", "--log",
            "adder.lua:5: {1 .. ''}", "--where", "state == nil or state.n > 0")
        #expect(
            where1.stdout == """
                  step  node      in            line          recording
                failed  adder     apply.fail    adder.lua:5   s.jsonl       1
                     2  adder     apply.add     adder.lua:4   s.jsonl
                failed  adder     apply.fail    adder.lua:5   s.jsonl       1
                     2  adder     apply.add     adder.lua:4   s.jsonl
                4 hits in 6 steps of 2 recordings

                """)
        let json = try await scene.run(
            "replay", "s.jsonl", "--json", "--log", "adder.lua:4: {state.n} {nope.x}", "--log",
            "adder.lua:7:{state}")
        #expect(
            json.stdout == """
                {"call":1,"file":"adder.lua","line":7,"node":"adder","phase":"render","recording":"s.jsonl","step":0,"text":"{ n = 0 }","type":"hit","values":[{"n":0}]}
                {"call":1,"error":"attempt to index a nil value (local 'nope')","file":"adder.lua","line":4,"node":"adder","phase":"apply.add","recording":"s.jsonl","step":1,"type":"hit"}
                {"call":2,"file":"adder.lua","line":7,"node":"adder","phase":"render","recording":"s.jsonl","step":1,"text":"{ n = 1 }","type":"hit","values":[{"n":1}]}
                {"call":1,"error":"attempt to index a nil value (local 'nope')","file":"adder.lua","line":4,"node":"adder","phase":"apply.add","recording":"s.jsonl","step":2,"type":"hit"}
                {"call":2,"file":"adder.lua","line":7,"node":"adder","phase":"render","recording":"s.jsonl","step":2,"text":"{ n = 2 }","type":"hit","values":[{"n":2}]}
                {"hits":5,"recordings":1,"steps":3,"type":"log"}

                """)
    }

    @Test func aLineWithoutCodeIsLoggedAtTheNextOneWithSome() async throws {
        let scene = try Folder([
            "adder.lua": adder.replacing(
                "        fail =", with: "        -- Fails.\n\n        fail =")
        ])
        _ = try await scene.run("adder.lua", "--record", "s.jsonl", input: "add\nfail\n")
        let logged = try await scene.run(
            "replay", "s.jsonl", "s.jsonl", "--log", "adder.lua:5: {state == nil}")
        #expect(logged.stderr == "note: adder.lua:5 has no code; line 7 is logged\n")
        #expect(
            logged.stdout == """
                  step  node      in            line          recording
                failed  adder     apply.fail    adder.lua:7   s.jsonl       true
                failed  adder     apply.fail    adder.lua:7   s.jsonl       true
                2 hits in 4 steps of 2 recordings

                """)
        let beyond = try await scene.run("replay", "s.jsonl", "--log", "adder.lua:99: x")
        #expect(beyond.stderr == "error: there is no code in line 99 of adder.lua or below\n")
    }

    @Test func nothingIsLoggedFromWhereTheReplayIsNotAsRecorded() async throws {
        let scene = try await recorded()
        try Data(adder.replacing("state.n + 1", with: "state.n * 2 + 1").utf8).write(
            to: scene.url.appendingPathComponent("edited.lua"))
        let point = "adder.lua:4: {state.n}"
        try FileManager.default.copyItem(
            atPath: scene.path("edited.lua"), toPath: scene.path("adder2.lua"))
        try Data(contentsOf: scene.url.appendingPathComponent("edited.lua")).write(
            to: scene.url.appendingPathComponent("adder.lua"))
        let outcome = try await scene.run("replay", "s.jsonl", "--log", point)
        #expect(
            outcome.stdout == """
                  step  node      in            line
                     1  adder     apply.add     adder.lua:4   0
                1 hit in 2 steps

                """)
        #expect(
            outcome.stderr == """
                note: s.jsonl: step 2 is not as recorded, so nothing is logged from there on; see \
                workflow-run replay s.jsonl

                """)
        #expect(outcome.status == 1)
        let other = try await scene.run(
            "replay", "s.jsonl", "--flow", "adder2.lua", "--log", "adder2.lua:4: {state.n}")
        #expect(other.stdout.hasSuffix("adder2.lua:4  3\n3 hits in 3 steps\n"))
        #expect(other.status == 0)
    }

    @Test(arguments: [
        (["--log", "x"], "'x' does not say where to log"),
        (["--log", "adder.lua:4", "--to", "1"], "--log goes with none of"),
        (["--where", "true"], "--where says when to log"),
        (["s.jsonl"], "Several recordings can be played with --log only."),
    ]) func logsThatCannotBeAreRefused(_ options: [String], _ message: String) async throws {
        let outcome = try await recorded().run(["replay", "s.jsonl"] + options)
        #expect(outcome.stderr.contains(message))
        #expect(outcome.status != 0)
    }

    @Test func changedFlowIsNoted() async throws {
        let scene = try await recorded()
        try Data((adder + "\n").utf8).write(to: scene.url.appendingPathComponent("adder.lua"))
        let outcome = try await scene.run("replay", "s.jsonl")
        #expect(outcome.stderr == "note: the flow's files have changed since it was recorded\n")
        #expect(outcome.stdout == "✓ adder: 3 steps, all as recorded\n")
    }

    @Test func flowThatIsNotHereHasToBeNamed() async throws {
        let scene = try await recorded()
        try FileManager.default.removeItem(atPath: scene.path("adder.lua"))
        let gone = try await scene.run("replay", "s.jsonl")
        #expect(
            gone.stderr == """
                error: the recording is of adder.lua, which is not here
                help: name the flow with --flow

                """)
        #expect(gone.status == 66)
        _ = try await scene.run("-", "--record", "piped.jsonl", input: adder)
        let piped = try await scene.run("replay", "piped.jsonl")
        #expect(
            piped.stderr == """
                error: the recording does not say which file it is of
                help: name the flow with --flow

                """)
        let loaded = try await scene.run("repl", input: ".load piped.jsonl\n")
        #expect(
            loaded.stderr == """
                error: the recording does not say which file its flow is in
                help: workflow-run replay piped.jsonl --flow FILE plays it

                """)
    }

    @Test func brokenRecordingsAreNamedAndTornOnesNoted() async throws {
        let scene = try await recorded()
        let text = try scene.text(of: "s.jsonl")
        try Data(text.dropLast(20).utf8).write(to: scene.url.appendingPathComponent("torn.jsonl"))
        let torn = try await scene.run("replay", "torn.jsonl")
        #expect(torn.stderr == "note: the last line was cut and is left out\n")
        #expect(torn.stdout == "✓ adder: 3 steps, all as recorded\n")
        try Data(text.replacing(#""n":2"#, with: #""n":7"#).utf8).write(
            to: scene.url.appendingPathComponent("damaged.jsonl"))
        let damaged = try await scene.run("replay", "damaged.jsonl")
        #expect(
            damaged.stderr.hasPrefix(
                "error: the line is damaged: its sum is not that of its text\n"
                    + "  ┌─ damaged.jsonl:6\n"))
        #expect(
            damaged.stderr.hasSuffix("help: if it was changed on purpose, take its \"sum\" away\n"))
        #expect(damaged.status == 65)
        let gone = try await scene.run("replay", "gone.jsonl")
        #expect(
            gone.stderr == """
                error: there is no file gone.jsonl
                help: give the path of a recording, which is what --record FILE writes

                """)
        #expect(gone.status == 66)
    }

    /// A past that the present files do not lead to is reported by each command in the same words.
    @Test func aReplayGoesOnFromTheStateThatAReloadKept() async throws {
        let scene = try Folder(["adder.lua": adder])
        let file = scene.path("adder.lua")
        let options = FlowOptions(journal: try FlowJournal(path: scene.path("s.jsonl")))
        let session = try await FlowSession.open(.file(file), options: options)
        for _ in 1...3 { try await session.send("add") }
        try Data(adder.replacing("state.n + 1", with: "state.n + 10").utf8).write(
            to: URL(fileURLWithPath: file))
        try await session.reload()
        for _ in 1...2 { try await session.send("add") }
        await session.close()
        let lost =
            "steps 0 to 2 cannot be replayed: the files that played them are not loaded any more"
        for options in [[], ["--isolate"]] {
            let outcome = try await scene.run(["replay", "s.jsonl"] + options)
            #expect(outcome.stderr == "note: \(lost)\n")
            #expect(outcome.stdout == "✓ adder: 5 steps, from step 3 on as recorded\n")
            #expect(outcome.status == 0)
        }
        let there = try await scene.run("replay", "s.jsonl", "--to", "4")
        #expect(there.stdout.contains("13"))
        #expect(there.status == 0)
        let logged = try await scene.run("replay", "s.jsonl", "--log", "adder.lua:4: {state.n}")
        #expect(logged.stdout.contains("2 hits in 5 steps"))
        #expect(logged.stdout.contains(" 3\n") && logged.stdout.contains(" 13\n"))
        #expect(
            logged.stderr
                == "note: s.jsonl: \(lost)\n")
        let asked = try await scene.run(
            "repl", "s.jsonl", input: ".goto 4\n.why n\n.goto 1\nn\n")
        #expect(asked.stderr.contains("note: \(lost)\n"))
        #expect(
            asked.stderr.contains(
                "step 1 cannot be replayed: the files that played it are not loaded any more"))
        #expect(asked.stdout.contains("13"))
    }
}
