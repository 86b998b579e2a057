import Foundation
import Testing

/// `replay` with the real executable, and sessions that go on in another process.
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

    private func recorded(_ lines: String = "add\nadd\nadd\n") async throws -> Scene {
        let scene = try Scene(["adder.lua": adder])
        _ = try await scene.run("adder.lua", "--record", "s.jsonl", input: lines)
        return scene
    }

    @Test(arguments: Example.all)
    func eachExampleReplaysEqualAndGoesOnInAnotherProcess(_ example: Example) async throws {
        let folder = BuildFolder.example(example.name)
        let scene = try Scene()
        let requests = try String(
            contentsOf: folder.appendingPathComponent("\(example.name).in"), encoding: .utf8
        ).split(separator: "\n")
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
            to: scene.folder.appendingPathComponent("edited.lua"))
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

    @Test func aFailureThatIsGoneIsADifference() async throws {
        let scene = try await recorded("add\nfail\n")
        let same = try await scene.run("replay", "s.jsonl")
        #expect(same.stdout == "✓ adder: 2 steps, all as recorded\n")
        try Data(adder.replacing("error(\"no\")", with: "").utf8).write(
            to: scene.folder.appendingPathComponent("edited.lua"))
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
        (
            ["--json"], #"{"differences":0,"flow":"adder","steps":3,"type":"replay"}"# + "\n", "", 0
        ),
    ])
    func optionsSayWhatIsLookedFor(
        _ options: [String], _ stdout: String, _ stderr: String, _ status: Int32
    ) async throws {
        let outcome = try await recorded().run(["replay", "s.jsonl"] + options)
        #expect(outcome.stdout == stdout)
        #expect(outcome.stderr == stderr)
        #expect(outcome.status == status)
    }

    @Test func changedFlowIsNoted() async throws {
        let scene = try await recorded()
        try Data((adder + "\n").utf8).write(to: scene.folder.appendingPathComponent("adder.lua"))
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
        let text = try scene.text("s.jsonl")
        try Data(text.dropLast(20).utf8).write(
            to: scene.folder.appendingPathComponent("torn.jsonl"))
        let torn = try await scene.run("replay", "torn.jsonl")
        #expect(torn.stderr == "note: the last line was cut and is left out\n")
        #expect(torn.stdout == "✓ adder: 3 steps, all as recorded\n")
        try Data(text.replacing(#""n":2"#, with: #""n":7"#).utf8).write(
            to: scene.folder.appendingPathComponent("damaged.jsonl"))
        let damaged = try await scene.run("replay", "damaged.jsonl")
        #expect(
            damaged.stderr.hasPrefix(
                "error: the line is damaged: its sum is not that of its text\n"
                    + "  ┌─ damaged.jsonl:6\n"))
        #expect(
            damaged.stderr.hasSuffix(
                "help: if it was changed on purpose, take its \"sum\" away\n"))
        #expect(damaged.status == 65)
        let gone = try await scene.run("replay", "gone.jsonl")
        #expect(
            gone.stderr == """
                error: there is no file gone.jsonl
                help: give the path of a recording: what --record FILE wrote

                """)
        #expect(gone.status == 66)
    }
}
