import Foundation
import PlainValue
import TestSupport
import Testing

@Suite(.serialized) struct ProgramTests {
    @Test func stopwatchTicksAndItsWorkerIsToldOfInOrder() async throws {
        let program = try await RunningProgram(
            ["stopwatch.lua", "--json", "--keep-going", "--props", "{\"tick\":0.01}"],
            in: Repository.path("Examples/stopwatch"))
        var lines = try await program.lines(to: "\"output\":{\"tick\":")
        program.write("{\"id\":1,\"do\":\"send\",\"action\":\"pause\"}\n")
        lines += try await program.lines(to: "\"type\":\"reply\"")
        let outcome = try await program.finish()
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
        let events = try lines.map { try Value(json: $0) } + outcome.events
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
        let program = try await RunningProgram(
            ["shout.lua", "--plugin", library, "--quiet", "--props", "{\"text\":\"hello\"}"],
            in: Repository.path("Examples/c-plugin"))
        let outcome = try await program.finish()
        #expect(outcome.stderr == "")
        #expect(outcome.stdout == "output { heard = { \"HELLO\", \"HELLO\", \"HELLO\" } }\n")
        #expect(outcome.status == 0)
    }

    @Test func flowWithoutItsPluginSaysWhatToDo() async throws {
        let program = try await RunningProgram(
            ["shout.lua", "--quiet", "--props", "{\"text\":\"hello\"}"],
            in: Repository.path("Examples/c-plugin"))
        let outcome = try await program.finish()
        #expect(
            outcome.stderr == """
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
        let program = try await RunningProgram(
            ["greeting.lua", "--quiet", "--props", "{\"name\":\"Ada\"}"],
            in: Repository.path("Examples/GreeterPlugin"),
            environment: ["WORKFLOW_PLUGIN_PATH": library])
        let outcome = try await program.finish()
        #expect(outcome.stderr == "")
        #expect(outcome.stdout == "output { text = \"Hello, Ada!\" }\n")
        #expect(outcome.status == 0)
    }

    @Test func buildWatchRunsTheCommandAgainWhenAFileChanges() async throws {
        let folder = try Folder([
            "src/a.txt": "one\n",
            "build-watch.lua": try Repository.text("Examples/build-watch/build-watch.lua"),
        ])
        let program = try await RunningProgram(
            [
                "build-watch.lua", "--json", "--allow", "file.read=src", "--allow", "process=grep",
                "--props",
                """
                {"path":"src","program":"grep","arguments":["-c","two","src/a.txt"]}
                """,
            ], in: folder.path)
        // grep fails if it finds nothing. It may do so before the folder is watched.
        let lines = try await program.lines(to: "\"status\":\"failed\"", "watching src")
        let failed = try #require(lines.first { $0.contains("\"status\":\"failed\"") })
        let first = try Value(json: failed)
        #expect(first["rendering"]?["last"] == ["ended_by": 1, "ok": false, "text": "0\n"])
        try folder.write("one\ntwo\n", to: "src/a.txt")
        let passed = try await program.lines(to: "\"status\":\"passed\"")
        let second = try Value(json: try #require(passed.last))
        #expect(second["rendering"]?["last"] == ["ended_by": 0, "ok": true, "text": "1\n"])
        #expect(second["rendering"]?["changed"] == "src/a.txt")
        program.write("{\"do\":\"send\",\"action\":\"stop\"}\n")
        let outcome = try await program.finish()
        #expect(outcome.stderr == "")
        #expect(outcome.status == 0)
        #expect(outcome.stdout.contains("\"type\":\"output\""))
    }

    @Test func buildWatchNeedsItsGrants() async throws {
        let program = try await RunningProgram(
            [
                "build-watch.lua", "--json", "--allow", "process=grep", "--props",
                "{\"path\":\".\",\"program\":\"grep\",\"arguments\":[\"x\"]}",
            ], in: Repository.path("Examples/build-watch"))
        let outcome = try await program.finish()
        let error = try #require(outcome.events.first { $0["type"] == "error" })
        #expect(error["code"] == "not_granted")
        #expect(error["location"]?["file"] == "build-watch.lua")
        #expect(outcome.status != 0)
    }
}

extension Outcome {
    fileprivate var events: [Value] {
        get throws { try stdout.split(separator: "\n").map { try Value(json: String($0)) } }
    }
}
