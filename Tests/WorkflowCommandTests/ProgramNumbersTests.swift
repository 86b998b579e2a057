import ArgumentParser
import FlowProtocol
import PlainValue
import TestSupport
import Testing
import WorkflowKit

@testable import WorkflowCommand

@Suite struct ProgramNumbersTests {
    private static let counter = """
        local Counter = { name = "counter", state = { n = 0 } }
        Counter.apply = { add = function(state) state.n = state.n + 1 end }
        function Counter.render(state, context) return { n = state.n } end
        return Counter
        """

    /// The recording that ended the program with 132.
    private static let overflowing = """
        {"at":"2026-11-25T00:00:00.000Z","file":"counter.lua","flow":"counter","hash":"0",\
        "lua":"5.4.4","plugins":[],"props":{},"protocol":1,"seed":"0","seq":9223372036854775807,\
        "session":"s","type":"ready","v":1}
        {"at":"2026-11-25T00:00:00.000Z","pass":1,"rendering":{},"seq":3,"type":"rendering","v":1}

        """

    @Test(arguments: ["replay", "repl"])
    func aRecordingWithTheGreatestNumberIsRefused(_ verb: String) async throws {
        let scene = try Folder(["counter.lua": Self.counter, "s.jsonl": Self.overflowing])
        let outcome = try await scene.run(verb, "s.jsonl")
        #expect(
            outcome.stderr == """
                error: "seq" must be a whole number from 0 to 2^53, not 9223372036854775807
                  ┌─ s.jsonl:1
                help: it was damaged or changed by hand: go back to a copy of it

                """)
        #expect(outcome.status == 65)
    }

    // MARK: Command lines

    private static let options: [(command: any ParsableCommand.Type, options: [String])] = [
        (
            RunCommand.self,
            ["timeout", "max-time", "max-memory", "max-instructions", "seed", "inspect"]
        ), (ReplayCommand.self, ["to", "skip", "max-time", "max-memory", "seed"]),
        (
            ExploreCommand.self,
            ["max-states", "max-depth", "max-seconds", "max-megabytes", "max-time"]
        ), (TestCommand.self, ["max-time", "max-memory", "seed"]),
        (DebugCommand.self, ["port", "max-time", "max-memory"]),
    ]

    @Test func numbersOfCommandLinesAreTakenOrRefused() {
        let texts = NumberCases.texts + ["nan", "inf", "3155760000"]
        var (taken, refused, turn) = (0, 0, 0)
        for (command, options) in Self.options {
            let name = command == DebugCommand.self ? [] : ["a.lua"]
            for option in options {
                // Parsing takes long, and a message longer: each option gets every third text, as
                // others of its kind get the rest, and one message is seen.
                var message: String?
                turn += 1
                for (place, text) in texts.enumerated() where (place + turn) % 3 == 0 {
                    do {
                        let parsed = try command.parse(name + ["--\(option)=\(text)"])
                        taken += 1
                        if let run = parsed as? RunCommand { _ = run.limits.limits }
                        if let explore = parsed as? ExploreCommand { _ = explore.limits.limits }
                    } catch {
                        refused += 1
                        message = message ?? command.message(for: error)
                    }
                }
                #expect(message?.isEmpty == false, "--\(option)")
            }
        }
        #expect(taken > 10 && refused > 40, "\(taken) \(refused)")
    }

    @Test(
        arguments: [
            (["counter.lua", "--timeout", "3155760000", "--max-time", "1000000"], 0),
            (["counter.lua", "--max-instructions", "9223372036854775807"], 0),
            (["counter.lua", "--seed", "18446744073709551615", "--max-memory", "1000000"], 0),
            (
                [
                    "explore", "counter.lua", "--max-states", "5", "--max-depth",
                    "9223372036854775807", "--max-seconds", "3155760000",
                ], 0
            ), (["replay", "s.jsonl", "--to", "9223372036854775807"], 65),
            (["replay", "s.jsonl", "--skip", "9223372036854775807"], 65),
        ] as [([String], Int32)])
    func theGreatestNumbersAreTaken(_ arguments: [String], _ status: Int32) async throws {
        let scene = try Folder(["counter.lua": Self.counter])
        _ = try await scene.run(["counter.lua", "--record", "s.jsonl"], input: "add\n")
        let outcome = try await scene.run(arguments, input: "add\n")
        #expect(outcome.status == status, "\(outcome.stderr)")
    }

    // MARK: Attached programs

    private static let greeting = """
        {"v":1,"seq":1,"type":"ready","flow":"todo","hash":"0","seed":"0","props":{},"session":"s","plugins":[],"step":4}
        {"v":1,"seq":1,"type":"rendering","rendering":{"n":1},"actions":["add"],"pass":1}

        """

    /// A program that tells of steps for which it has no inputs, or of ones that there cannot be.
    @Test(
        arguments: [
            (5, 5), (2, 5), (5, 2), (-1, -1), (.min, .max), (1 << 53, 1 << 53), (0, .max),
        ] as [(Int, Int)])
    func whatAnAttachedProgramTellsIsSurvived(_ step: Int, _ count: Int) async throws {
        let scene = try Folder()
        let program = try FakeProgram(at: scene.path("s.sock"), saying: Self.greeting) { request in
            switch request["do"] {
            case "status": ["flow": "todo", "step": .int(step), "of": .int(count), "actions": []]
            case "timeline":
                [
                    "inputs": [
                        ["at": .int(step), "node": "todo", "action": ["type": "add"]],
                        ["at": 7, "node": "todo", "action": ["type": "add"]],
                    ]
                ]
            case "log":
                [
                    [
                        "step": .int(step), "call": .int(count), "node": "todo", "phase": "render",
                        "file": "a.lua", "line": 3, "text": "x",
                    ]
                ]
            case "why":
                [
                    "path": "n", "since": .int(step),
                    "findings": [["kind": "sender", "subject": "you", "at": .int(count)]],
                ]
            default: ["n": 1]
            }
        }
        let outcome = try await scene.run(
            ["attach", scene.path("s.sock")],
            input: """
                .timeline
                .step 1
                .step 5
                .diff
                .diff 0 5
                .diff 1 2
                .log a.lua:3: x
                .log
                .why n
                .undo
                .redo
                .undo mine
                .goto 5
                .branch
                .save s.jsonl
                add
                .rendering

                """)
        #expect(outcome.stdout.contains("n = 1") || outcome.stdout.contains("n  1"), "\(outcome)")
        // Some of the commands are refused, which the status says; a trap would be 132.
        #expect(outcome.status == 0 || outcome.status == 65, "\(outcome)")
        _ = program
    }
}
