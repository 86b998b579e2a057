#if canImport(Glibc)
    import Foundation
    import LibC
    import PlainValue
    import TestSupport
    import Testing
    import WorkflowKit

    // A person who is attached to a session, at a terminal.
    extension ListenTests {
        private func example(_ name: String) -> String { Repository.example(name) }

        /// A run that takes requests on its standard input, too.
        private func listen(_ scene: Folder, _ options: String...) async throws -> RunningProgram {
            let run = try await scene.start(
                ["--json", "--listen", scene.path("s.sock")] + options)
            while let line = await run.line(), !line.contains("\"type\":\"rendering\"") {}
            return run
        }

        private func end(_ run: RunningProgram) async throws {
            run.send(SIGTERM)
            #expect(try await run.finish(closingInput: false).status == 143)
        }

        @Test func tabCompletesFromWhatTheSessionShowsNow() async throws {
            let scene = try Folder()
            let run = try await listen(scene, example("todo"))
            let path = scene.path("s.sock")
            let terminal = try await ProgramTerminal(["attach", path], home: scene, width: 200)
            let text = try await terminal.screen(endingWith: "todo>")
            #expect(
                text == """
                    workflow-run 0.1.0, attached to \(path). Type .help for help, Ctrl-D to detach.
                    todo  rows={}  title=0 of 0 done
                    todo>
                    """)
            terminal.type("ad\t{ text = \"milk\" }\r")
            try await terminal.screen(endingWith: "was 0 of 0 done\ntodo>")
            // Another one adds a row, which can be completed at once.
            run.write(#"{"do":"send","action":{"type":"add","text":"tea"}}"# + "\n")
            try await terminal.screen(endingWith: "was 0 of 1 done\ntodo>")
            try await terminal.type("rows[2].to\t\r", endingWith: "was 0 of 2 done\ntodo>")
            terminal.type("= state.ite\t[2].do\t\r")
            try await terminal.screen(endingWith: "= state.items[2].done\ntrue\ntodo>")
            terminal.type("\u{4}")
            #expect(try await terminal.finish().status == 0)
            // Detached, and the session goes on.
            run.write(#"{"id":1,"do":"send","action":{"type":"add","text":"salt"}}"# + "\n")
            var line = ""
            while !line.contains("\"reply\"") { line = try #require(await run.line()) }
            #expect(line.contains("\"ok\":true"))
            try await end(run)
        }

        @Test func outputsOfWorkersAppearAboveTheLineThatIsTyped() async throws {
            let scene = try Folder()
            let run = try await listen(
                scene, example("stopwatch"), "--props", "{\"tick\": 0.05}")
            let terminal = try await ProgramTerminal(
                ["attach", scene.path("s.sock")], home: scene)
            try await terminal.screen(until: { $0.contains("stopwatch>") })
            terminal.type("paus")
            let typed = try await terminal.screen { text in
                text.components(separatedBy: "← clock.every").count > 3
                    && text.hasSuffix("stopwatch> paus")
            }
            #expect(typed.split(separator: "stopwatch> ").count == 2)
            // What one input causes is told in one piece.
            let lines = typed.split(separator: "\n")
            let told = lines.filter { $0.contains("← clock.every") }.count
            #expect(lines.filter { $0.hasPrefix("  ~ elapsed") }.count == told)
            terminal.type("e\r")
            try await terminal.screen { $0.contains("cancelled") && $0.hasSuffix("\nstopwatch>") }
            terminal.type(".exit\r")
            #expect(try await terminal.finish().status == 0)
            try await end(run)
        }

        @Test func endOfTheSessionLeavesTheTerminal() async throws {
            let scene = try Folder()
            let run = try await listen(scene, example("counter"))
            let terminal = try await ProgramTerminal(["attach", scene.path("s.sock")], home: scene)
            try await terminal.screen(endingWith: "counter>")
            try await terminal.type("incr", endingWith: "counter> incr")
            try await end(run)
            let (text, status) = try await terminal.finish()
            #expect(text.contains("\nnote: the session has ended"))
            #expect(status == 0)
        }
    }
#endif
