import Foundation
import PlainValue
import TestSupport
import Testing

/// The examples with workers, played by the program.
@Suite(.serialized) struct ProgramTests {
    @Test func stopwatchTicksAndItsWorkerIsToldOfInOrder() async throws {
        let program = try Program(
            ["stopwatch.lua", "--json", "--keep-going", "--props", "{\"tick\":0.01}"],
            in: Repository.path("Examples/stopwatch"))
        _ = try await program.line(with: "\"output\":{\"tick\":")
        try program.write("{\"id\":1,\"do\":\"send\",\"action\":\"pause\"}")
        _ = try await program.line(with: "\"type\":\"reply\"")
        let outcome = try await program.finish()
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
        let events = try outcome.lines.map { try Value(json: $0) }
        let workers = events.filter { $0["type"] == "worker" }
        let phases = workers.compactMap { $0["phase"]?.string }
        #expect(phases.first == "started")
        #expect(phases.last == "cancelled")
        #expect(phases.count > 2)
        #expect(phases.dropFirst().dropLast().allSatisfy { $0 == "output" })
        #expect(workers.allSatisfy { $0["worker"] == "clock.every" && $0["node"] == "stopwatch" })
        let ticks = workers.compactMap { $0["output"]?["tick"]?.int }
        #expect(ticks == ticks.sorted())
        #expect(Set(ticks).count == ticks.count)
        // The pause causes the cancellation, before its reply.
        let types = events.compactMap { $0["type"]?.string }
        let reply = try #require(types.firstIndex(of: "reply"))
        let cancelled = try #require(events.firstIndex { $0["phase"] == "cancelled" })
        #expect(cancelled < reply)
    }

    @Test func flowOfTheExampleInCShouts() async throws {
        let library = try CLibrary.build("Examples/c-plugin/shout.c", as: "program-shout.so")
        let program = try Program(
            ["shout.lua", "--plugin", library, "--quiet", "--props", "{\"text\":\"hello\"}"],
            in: Repository.path("Examples/c-plugin"))
        let outcome = try await program.finish()
        #expect(outcome.errors == "")
        #expect(outcome.lines == ["output { heard = { \"HELLO\", \"HELLO\", \"HELLO\" } }"])
        #expect(outcome.status == 0)
    }

    @Test func flowWithoutItsPluginSaysWhatToDo() async throws {
        let program = try Program(
            ["shout.lua", "--quiet", "--props", "{\"text\":\"hello\"}"],
            in: Repository.path("Examples/c-plugin"))
        let outcome = try await program.finish()
        #expect(
            outcome.errors == """
                error: there is no worker 'shout.again'
                   ┌─ shout.lua:15
                   │
                14 │ function Shout.render(state, context)
                15 │     context:run("shout.again", { text = context.props.text, times = 3 }, {
                16 │         on_output = "said",
                   │
                   = in render of shout
                help: load the plugin that offers it with --plugin

                """)
        #expect(outcome.status == 69)
    }

    @Test func flowOfThePluginOfAnotherPackageGreets() async throws {
        let library = try Repository.greeter()
        let program = try Program(
            ["greeting.lua", "--quiet", "--props", "{\"name\":\"Ada\"}"],
            in: Repository.path("Examples/GreeterPlugin"),
            environment: ["WORKFLOW_PLUGIN_PATH": library])
        let outcome = try await program.finish()
        #expect(outcome.errors == "")
        #expect(outcome.lines == ["output { text = \"Hello, Ada!\" }"])
        #expect(outcome.status == 0)
    }

    @Test func buildWatchRunsTheCommandAgainWhenAFileChanges() async throws {
        let folder = try TemporaryFolder([
            "src/a.txt": "one\n",
            "build-watch.lua": try Repository.text("Examples/build-watch/build-watch.lua"),
        ])
        let program = try Program(
            [
                "build-watch.lua", "--json", "--allow", "file.read=src", "--allow", "process=grep",
                "--props",
                """
                {"path":"src","program":"grep","arguments":["-c","two","src/a.txt"]}
                """,
            ], in: folder.path)
        // grep fails if it finds nothing. It may do so before the folder is watched.
        let lines = try await program.lines(with: "\"status\":\"failed\"", "watching src")
        let first = try Value(json: lines[0])
        #expect(
            first["rendering"]?["last"] == ["ended_by": 1, "ok": false, "text": "0\n"])
        try folder.write("one\ntwo\n", to: "src/a.txt")
        let second = try Value(json: try await program.line(with: "\"status\":\"passed\""))
        #expect(
            second["rendering"]?["last"] == ["ended_by": 0, "ok": true, "text": "1\n"])
        #expect(second["rendering"]?["changed"] == "src/a.txt")
        try program.write("{\"do\":\"send\",\"action\":\"stop\"}")
        let outcome = try await program.finish()
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
        #expect(outcome.lines.contains { $0.contains("\"type\":\"output\"") })
    }

    @Test func buildWatchNeedsItsGrants() async throws {
        let program = try Program(
            [
                "build-watch.lua", "--json", "--allow", "process=grep", "--props",
                "{\"path\":\".\",\"program\":\"grep\",\"arguments\":[\"x\"]}",
            ], in: Repository.path("Examples/build-watch"))
        let outcome = try await program.finish()
        let error = try #require(
            try outcome.lines.map { try Value(json: $0) }
                .first { $0["type"] == "error" })
        #expect(error["code"] == "not_granted")
        #expect(error["location"]?["file"] == "build-watch.lua")
        #expect(outcome.status != 0)
    }
}
