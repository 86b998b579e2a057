#if canImport(Glibc)
    import Foundation
    import Glibc
    import PlainValue
    import Testing
    import WorkflowKit

    /// A person who is attached to a session, at a terminal.
    @Suite struct AttachTerminalTests {
        private func attach(to flow: ListeningFlow, width: Int = 80) async throws -> REPLTerminal {
            try await REPLTerminal(
                [flow.path], command: "attach", state: flow.scene, width: width)
        }

        @Test func tabCompletesFromWhatTheSessionShowsNow() async throws {
            let flow = try await ListeningFlow("todo")
            let terminal = try await attach(to: flow, width: 200)
            let text = try await terminal.screen(endingWith: "todo>")
            #expect(
                text == """
                    workflow-run 0.1.0, attached to \(flow.path). Type .help for help, Ctrl-D to detach.
                    todo  rows={}  title=0 of 0 done
                    todo>
                    """)
            terminal.type("ad\t{ text = \"milk\" }\r")
            try await terminal.screen(endingWith: "was 0 of 0 done\ntodo>")
            // Another one adds a row, which can be completed at once.
            try await flow.session.send(["type": "add", "text": "tea"])
            try await terminal.screen(endingWith: "was 0 of 1 done\ntodo>")
            terminal.type("rows[2].to\t\r")
            try await terminal.screen(endingWith: "was 0 of 2 done\ntodo>")
            terminal.type("= state.ite\t[2].do\t\r")
            try await terminal.screen(endingWith: "= state.items[2].done\ntrue\ntodo>")
            terminal.type("\u{4}")
            #expect(await terminal.finish().status == 0)
            // Detached, and the session goes on.
            try await flow.session.send(["type": "add", "text": "salt"])
            await flow.session.close()
        }

        @Test func outputsOfWorkersAppearAboveTheLineThatIsTyped() async throws {
            let flow = try await ListeningFlow("stopwatch", props: ["tick": 0.05])
            let terminal = try await attach(to: flow)
            try await terminal.screen(until: { $0.contains("stopwatch>") })
            terminal.type("paus")
            let typed = try await terminal.screen { text in
                text.components(separatedBy: "← clock.every").count > 3
                    && text.hasSuffix("stopwatch> paus")
            }
            #expect(typed.split(separator: "stopwatch> ").count == 2)
            // What one input causes is told in one piece.
            let told = typed.split(separator: "\n").filter { $0.contains("clock.every") }.count
            let changes = typed.split(separator: "\n").filter { $0.hasPrefix("  ~ elapsed") }.count
            #expect(told == changes)
            terminal.type("e\r")
            try await terminal.screen {
                $0.contains("cancelled") && $0.hasSuffix("\nstopwatch>")
            }
            terminal.type(".exit\r")
            #expect(await terminal.finish().status == 0)
            await flow.session.close()
        }

        @Test func endOfTheSessionLeavesTheTerminal() async throws {
            let flow = try await ListeningFlow("counter")
            let terminal = try await attach(to: flow)
            try await terminal.screen(endingWith: "counter>")
            terminal.type("incr")
            try await terminal.screen(endingWith: "counter> incr")
            await flow.session.close()
            let (text, status) = await terminal.finish()
            #expect(text.contains("\nnote: the session has ended"))
            #expect(status == 0)
        }
    }
#endif
