import Foundation
import TestSupport
import Testing

@Suite struct RunWatchTests {
    private func flow(by factor: Int) -> String {
        """
        return {
            name = "sum",
            state = { sum = 0 },
            apply = { add = function(state) state.sum = state.sum + \(factor) end },
            render = function(state) return { sum = state.sum, by = \(factor) } end,
        }
        """
    }

    private func played(_ option: String) async throws -> [String?] {
        let scene = try Folder(["sum.lua": flow(by: 1)])
        // The file after the option is not taken as the option's value.
        let program = try await scene.start([option, "sum.lua"])
        var lines = [await program.line()]
        program.write("add\nadd\n")
        for _ in 1...2 { lines.append(await program.line()) }
        // Like an editor, so that no reader sees a partial file.
        try Data(flow(by: 10).utf8).write(
            to: scene.url.appendingPathComponent("sum.lua"), options: .atomic)
        lines.append(await program.line())
        program.write("add\n")
        lines.append(await program.line())
        let outcome = try await program.finish()
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
        return lines.map { $0?.trimmingCharacters(in: .newlines) }
    }

    @Test(arguments: ["--watch", "--watch=state"]) func stateIsKept(_ option: String) async throws {
        #expect(
            try await played(option) == [
                "rendering { by = 1, sum = 0 }", "rendering { by = 1, sum = 1 }",
                "rendering { by = 1, sum = 2 }", "rendering { by = 10, sum = 2 }",
                "rendering { by = 10, sum = 12 }",
            ])
    }

    @Test func inputsArePlayedAgain() async throws {
        #expect(
            try await played("--watch=replay") == [
                "rendering { by = 1, sum = 0 }", "rendering { by = 1, sum = 1 }",
                "rendering { by = 1, sum = 2 }", "rendering { by = 10, sum = 20 }",
                "rendering { by = 10, sum = 30 }",
            ])
    }

    @Test func anotherWayToWatchIsRefused() async throws {
        let outcome = try await Folder(["sum.lua": flow(by: 1)]).run("sum.lua", "--watch=always")
        #expect(
            outcome.stderr == """
                error: The value 'always' is invalid for '--watch <how>'. Please provide one of 'state' and 'replay'.
                help: see workflow-run run --help

                """)
        #expect(outcome.status == 64)
    }

    @Test func secretsStayOutOfTheRecording() async throws {
        let scene = try Folder(["sum.lua": flow(by: 1)])
        let outcome = try await scene.run(
            "sum.lua", "--record", "s.jsonl", "--secret", "password",
            input: "add{ password = \"sesame\" }\n")
        #expect(outcome.status == 0)
        let text = try String(
            contentsOf: scene.url.appendingPathComponent("s.jsonl"), encoding: .utf8)
        #expect(text.contains(#""password":"[secret]""#))
        #expect(!text.contains("sesame"))
        let refused = try await scene.run("sum.lua", "--secret", "password")
        #expect(
            refused.stderr == "error: --secret goes with --record, --inspect and --listen.\n"
                + "help: see workflow-run run --help\n")
        #expect(refused.status == 64)
    }
}
