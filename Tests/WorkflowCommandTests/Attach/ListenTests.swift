import Foundation
import LibC
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit

/// One after the other: each takes two programs at a time, and there is room for no more.
@Suite(.serialized) struct ListenTests {
    private func example(_ name: String) -> String { Repository.example(name) }

    @Test func runGoesOnAtTheEndOfItsInputUntilItsOutput() async throws {
        let scene = try Folder()
        let path = scene.path("s.sock")
        let run = try await scene.start([example("todo"), "--listen", path])
        #expect(await run.line()?.hasPrefix("rendering ") == true)
        let client = try await scene.run("attach", path, input: "add{ text = \"milk\" }\nfinish\n")
        #expect(client.stdout.hasPrefix("  + rows[1]   { done = false, text = \"milk\" }\n"))
        let outcome = try await run.finish()
        #expect(outcome.stdout.contains("title = \"0 of 1 done\""))
        #expect(outcome.stdout.split(separator: "\n").last?.hasPrefix("output ") == true)
        #expect(outcome.status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func runWithJSONTellsWhatOthersDo() async throws {
        let scene = try Folder()
        let path = scene.path("s.sock")
        let run = try await scene.start([example("counter"), "--json", "--listen", path])
        #expect(await run.line()?.contains("\"ready\"") == true)
        #expect(await run.line()?.contains("\"rendering\"") == true)
        let client = try await scene.run("attach", path, input: "increment\n")
        #expect(client.status == 0)
        #expect(await run.line()?.contains("\"action\"") == true)
        run.send(SIGTERM)
        let outcome = try await run.finish(closingInput: false)
        // The reply was the client's.
        let events = try outcome.stdout.split(separator: "\n").map { try Value(json: String($0)) }
        #expect(events.map { $0["type"] } == ["rendering", "done"])
        #expect(outcome.status == 143)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func killedRunIsALostConnectionAndItsSocketIsReplaced() async throws {
        let scene = try Folder()
        let path = scene.path("s.sock")
        let first = try await scene.start([example("counter"), "--listen", path])
        _ = await first.line()
        let client = try await scene.start(["attach", path])
        client.write("increment\n")
        _ = await client.line()
        first.send(SIGKILL)
        _ = try await first.finish()
        let lost = try await client.finish(closingInput: false)
        #expect(lost.stderr == "error: the connection was lost: the program at \(path) has ended\n")
        #expect(lost.status == 74)
        let stale = try await scene.run("attach", path)
        #expect(stale.status == 69)
        let second = try await scene.start([example("counter"), "--listen", path])
        _ = await second.line()
        let again = try await scene.run("attach", path, input: "= state.count\n")
        #expect(again.stdout == "0\n")
        second.send(SIGTERM)
        #expect(try await second.finish().status == 143)
    }

    @Test func clientIsRefusedWithoutFreeFileDescriptors() async throws {
        let scene = try Folder()
        let path = scene.path("s.sock")
        let run = try await RunningProgram(
            [
                "-c", #"ulimit -n 40 && exec "$0" "$@""#, try Repository.workflowRun().path,
                example("counter"), "--listen", path,
            ], of: URL(fileURLWithPath: "/bin/sh"), in: scene.path)
        _ = await run.line()
        var silent = try (1...40).map { _ in try PlainSocket(connectingTo: path) }
        let refused = try await scene.run("attach", path, input: "= 1\n")
        #expect(
            refused.stderr == """
                error: the program cannot take another client: Too many open files
                help: detach a client, or let the program open more files: ulimit -n

                """)
        #expect(refused.status == 69)
        silent.removeAll()
        #expect(try await scene.run("attach", path, input: "= 1\n").stdout == "1\n")
        run.send(SIGTERM)
        #expect(try await run.finish().status == 143)
    }

    @Test func pathThatIsTakenEndsTheRun() async throws {
        let scene = try Folder(["s.sock": "notes"])
        let path = scene.path("s.sock")
        let outcome = try await scene.run(example("counter"), "--listen", path)
        #expect(outcome.stdout == "")
        #expect(
            outcome.stderr == """
                error: there is a file \(path) already, and it is not a socket
                help: choose another path, or remove the file first

                """)
        #expect(outcome.status == 74)
        let json = try await scene.run(example("counter"), "--json", "--listen", path)
        #expect(try Events(json.stdout).types == ["error", "done"])
        #expect(json.status == 74)
        let repl = try await scene.run("repl", example("counter"), "--listen", path)
        #expect(repl.stderr == outcome.stderr)
        #expect(repl.status == 74)
        #expect(try scene.text(of: "s.sock") == "notes")
    }

    @Test func replGoesOnListeningAfterLoad() async throws {
        let scene = try Folder()
        let path = scene.path("s.sock")
        let repl = try await scene.start(["repl", example("counter"), "--listen", path])
        repl.write("= 1\n")
        #expect(await repl.line() == "1\n")
        let first = try await scene.run("attach", path, input: "increment\n")
        #expect(first.stdout == "  ~ count     1                                  was 0\n")
        #expect(await repl.line() == "· client 1 sent increment\n")
        #expect(await repl.line() == first.stdout)
        repl.write(".load \(example("todo"))\n")
        #expect(await repl.line()?.hasPrefix("todo  ") == true)
        let second = try await scene.run("attach", path, input: "= rendering.title\n")
        #expect(second.stdout == "\"0 of 0 done\"\n")
        #expect(try await repl.finish().status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func twoClientsSeeEachOthersActions() async throws {
        let flow = try await ListeningFlow("counter")
        let first = try await flow.scene.start(["attach", flow.path])
        first.write("= 1\n")
        #expect(await first.line() == "1\n")
        let second = try await flow.scene.start(["attach", flow.path])
        second.write("increment\n")
        let change = "  ~ count     1                                  was 0\n"
        #expect(await second.line() == change)
        #expect(await first.line() == "· client 2 sent increment\n")
        #expect(await first.line() == change)
        first.write(".undo\n")
        let undone = "  ~ count     0                                  was 1\n"
        #expect(await first.line() == undone)
        #expect(await second.line() == "· client 1 went to step 0 of 1\n")
        #expect(await second.line() == undone)
        // What only one has asked for is told to nobody else.
        let outcomes = [try await first.finish(), try await second.finish()]
        #expect(outcomes.map(\.stdout) == ["  At 0 of 1.\n", ""])
        #expect(outcomes.map(\.status) == [0, 0])
        await flow.session.close()
    }

    #if canImport(Glibc)
        @Test func controlDEndsARunThatListensAtATerminal() async throws {
            let scene = try Folder()
            let path = scene.path("s.sock")
            let run = try await ProgramTerminal(
                ["run", example("counter"), "--listen", path], home: scene)
            try await run.screen(endingWith: "›")
            let client = try await scene.run("attach", path, input: "increment\n")
            #expect(client.status == 0)
            try await run.screen(until: { $0.contains("counter  after increment") })
            run.type("\u{4}")
            #expect(try await run.finish().status == 0)
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test func controlCInterruptsTheCallInTheSession() async throws {
            let scene = try Folder.spinning()
            let path = scene.path("s.sock")
            let run = try await scene.start(["flow.lua", "--listen", path, "--max-time", "1000"])
            _ = await run.line()
            let terminal = try await ProgramTerminal(["attach", path], home: scene)
            try await terminal.screen(endingWith: "flow>")
            for _ in 1...3 {
                try await terminal.enter("spin")
                terminal.type("\u{3}")
                let text = try await terminal.screen(endingWith: "locals the variables\nflow>")
                #expect(text.contains("error: the call was interrupted  flow.lua:6\n"))
                try await terminal.type("= state.n\r", endingWith: "= state.n\n0\nflow>")
            }
            try await terminal.type("add\r", endingWith: "was 0\nflow>")
            try await terminal.type(".undo\r", endingWith: "  At 0 of 1.\nflow@0/1>")
            try await terminal.type("\u{3}", endingWith: "Ctrl-D)\nflow@0/1>")
            terminal.type("\u{3}")
            #expect(try await terminal.finish().status == 0)
            run.send(SIGTERM)
            let outcome = try await run.finish(closingInput: false)
            #expect(outcome.stdout.split(separator: "\n").last == "rendering { n = 0 }")
            #expect(outcome.status == 143)
        }
    #endif
}
