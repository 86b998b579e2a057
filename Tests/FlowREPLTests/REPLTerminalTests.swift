#if canImport(Glibc)
    import Foundation
    import LibC
    import TestFlows
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(15))) struct REPLTerminalTests {
        private let banner = "workflow-run 0.1.0, Lua 5.4. Type .help for help, Ctrl-D to leave.\n"

        private func example(_ name: String) -> String { Repository.example(name) }

        private func counter(_ environment: [String: String] = [:]) async throws -> ProgramTerminal
        {
            try await ProgramTerminal(
                ["repl", example("counter")], home: Folder(), environment: environment)
        }

        @Test func linesAreEditedAndAnswered() async throws {
            let terminal = try await counter()
            try await terminal.screen(endingWith: "counter>")
            try await terminal.type("increent", endingWith: "counter> increent")
            // Moves left past "ent", adds the missing letter, and presses Return in the middle.
            try await terminal.type("\u{1B}[D\u{1B}[D\u{1B}[Dm\r", endingWith: "was 0\ncounter>")
            terminal.type("\u{4}")
            let (text, status) = try await terminal.finish()
            #expect(
                text == banner + """
                    counter  count=0
                    counter> increment
                      ~ count     1                                  was 0
                    counter> ^D
                    """)
            #expect(status == 0)
        }

        @Test func tabCompletes() async throws {
            let terminal = try await ProgramTerminal(["repl", example("todo")], home: Folder())
            try await terminal.screen(endingWith: "todo>")
            try await terminal.type("ad\t", endingWith: "todo> add")
            try await terminal.type("{ \t", endingWith: "todo> add{ text =")
            try await terminal.type("\"milk\" }\r", endingWith: "was 0 of 0 done\ntodo>")
            terminal.type("rows[1].\t\t")
            try await terminal.screen(endingWith: "edit    remove  toggle\ntodo> rows[1].")
            try await terminal.type("to\t\r", endingWith: "was 0 of 1 done\ntodo>")
            terminal.type("= state.ite\t[1].do\t\r")
            try await terminal.screen(endingWith: "= state.items[1].done\ntrue\ntodo>")
            terminal.type("\u{4}")
            #expect(try await terminal.finish().status == 0)
        }

        @Test func historyIsKeptFromOneSessionToTheNext() async throws {
            let state = try Folder()
            let first = try await ProgramTerminal(["repl", example("counter")], home: state)
            try await first.screen(endingWith: "counter>")
            try await first.type("= \"日本\"\r", endingWith: "\"日本\"\ncounter>")
            try await first.type("increment\r", endingWith: "was 0\ncounter>")
            first.type(".exit\r")
            #expect(try await first.finish().status == 0)
            let second = try await ProgramTerminal(["repl", example("counter")], home: state)
            try await second.screen(endingWith: "counter>")
            try await second.type("\u{1B}[A", endingWith: "counter> .exit")
            try await second.type("\u{1B}[A\u{1B}[A\r", endingWith: "= \"日本\"\n\"日本\"\ncounter>")
            second.type("\u{4}")
            #expect(try await second.finish().status == 0)
            #expect(
                try state.text(of: "workflow-run/history")
                    == "= \"日本\"\nincrement\n.exit\n= \"日本\"\n")
        }

        @Test func entryOfSeveralLinesComesBackAsOne() async throws {
            let state = try Folder()
            let terminal = try await ProgramTerminal(["repl", example("todo")], home: state)
            try await terminal.screen(endingWith: "todo>")
            // As a terminal marks what is pasted.
            terminal.type("\u{1B}[200~add{\r\ttext = \"milk\"\r}\r\u{1B}[201~")
            try await terminal.screen(endingWith: "was 0 of 0 done\ntodo>")
            try await terminal.type("\u{1B}[A", endingWith: "todo> add{ text = \"milk\" }")
            try await terminal.type("\r", endingWith: "was 0 of 1 done\ntodo>")
            terminal.type(".exit\r")
            #expect(try await terminal.finish().status == 0)
            #expect(try state.text(of: "workflow-run/history") == "add{ text = \"milk\" }\n.exit\n")
        }

        @Test func helpIsShownAScreenAtATime() async throws {
            let terminal = try await counter()
            try await terminal.screen(endingWith: "counter>")
            try await terminal.type(".help\r", endingWith: "more; Enter goes on, q ends)")
            try await terminal.type("q\r", endingWith: "q\ncounter>")
            try await terminal.type("\u{1B}[A", endingWith: "counter> .help")
            terminal.type("\u{15}\u{4}")
            #expect(try await terminal.finish().status == 0)
        }

        @Test func outputsOfWorkersAppearAboveTheLineThatIsTyped() async throws {
            let terminal = try await ProgramTerminal(
                ["repl", example("stopwatch"), "--props", "{\"tick\": 0.05}"], home: Folder(),
                width: 40)
            try await terminal.screen(endingWith: "stopwatch>")
            terminal.type("paus")
            let typed = try await terminal.screen { text in
                text.components(separatedBy: "← clock.every").count > 3
                    && text.hasSuffix("stopwatch> paus")
            }
            // The line was typed once, however often it was drawn.
            #expect(typed.split(separator: "stopwatch> ").count == 2)
            terminal.type("e\r")
            let text = try await terminal.screen {
                $0.contains("cancelled") && $0.hasSuffix("\nstopwatch>")
            }
            #expect(text.contains("stopwatch> pause\n"))
            // Longer than the terminal's width.
            terminal.type("resume\r")
            terminal.type("lap{ name = \"a name that goes on and on\"")
            try await terminal.screen { text in
                text.hasSuffix("stopwatch> lap{ name = \"a name that goes\n on and on\"")
                    && text.components(separatedBy: "← clock.every").count > 6
            }
            terminal.type("\u{3}")
            try await terminal.screen(until: { $0.contains("^C") && $0.hasSuffix("\nstopwatch>") })
            terminal.type(".exit\r")
            #expect(try await terminal.finish().status == 0)
        }

        @Test func newWidthIsRespected() async throws {
            let terminal = try await ProgramTerminal(["repl", example("checkout")], home: Folder())
            try await terminal.screen(endingWith: "checkout>")
            let add = "add_item{ sku = \"a-very-long-name-for-a-product\", price = 12 }\r"
            terminal.type(add)
            try await terminal.screen(
                endingWith: """
                    + items[1]  { price = 12, quantity = 1, sku = "a-very-long-name-for-a-product…
                      ~ total     12                                 was 0
                    checkout>
                    """)
            terminal.resize(to: 60)
            terminal.type("items[1].remove\r")
            try await terminal.screen(
                endingWith: """
                    checkout> items[1].remove
                      - items[1]
                      ~ total     0                        was 12
                    checkout>
                    """)
            terminal.type("\u{1B}[A\u{1B}[A\r")
            try await terminal.screen(
                endingWith: """
                      + items[1]  { price = 12, quantity = 1, sku = "a-very-lon…
                      ~ total     12                       was 0
                    checkout>
                    """)
            terminal.type("\u{4}")
            #expect(try await terminal.finish().status == 0)
        }

        @Test func controlCDropsTheLineAndTwiceLeaves() async throws {
            let terminal = try await counter()
            try await terminal.screen(endingWith: "counter>")
            try await terminal.type("incr", endingWith: "counter> incr")
            try await terminal.type("\u{3}", endingWith: "incr^C\ncounter>")
            try await terminal.type("add{\r", endingWith: "counter> add{\n      >>")
            try await terminal.type("\u{3}", endingWith: "      >> ^C\ncounter>")
            terminal.type("\u{3}")
            try await terminal.screen(
                endingWith: "counter> ^C\n(Ctrl-C again leaves, and so does Ctrl-D)\ncounter>")
            terminal.type("\u{3}")
            #expect(try await terminal.finish().status == 0)
        }

        @Test func controlCInterruptsACallAndTheNextLineIsServed() async throws {
            let scene = try Folder.spinning()
            let terminal = try await ProgramTerminal(
                ["repl", scene.path("flow.lua"), "--max-time", "1000"], home: scene)
            try await terminal.screen(endingWith: "flow>")
            for _ in 1...3 {
                try await terminal.enter("spin")
                terminal.type("\u{3}")
                let text = try await terminal.screen(endingWith: "locals the variables\nflow>")
                #expect(
                    text.withoutFolders.contains("error: the call was interrupted  flow.lua:6\n"))
                try await terminal.type("= state.n\r", endingWith: "= state.n\n0\nflow>")
            }
            try await terminal.enter("= (function() while true do end end)()")
            try await terminal.type("\u{3}", endingWith: "error: the call was interrupted\nflow>")
            terminal.type("\u{4}")
            #expect(try await terminal.finish().status == 0)
        }

        /// A reader of a pipe without writers waits.
        @Test func thirdControlCLeavesACallThatCannotBeInterrupted() async throws {
            let scene = try Folder()
            try #require(mkfifo(scene.path("pipe"), 0o600) == 0)
            let terminal = try await ProgramTerminal(["repl"], home: scene, width: 200)
            try await terminal.screen(endingWith: "scratch>")
            try await terminal.enter(".load \(scene.path("pipe"))")
            // A writer can open the pipe once the reader is there; earlier, Ctrl-C is for the line.
            var writer: Int32 = -1
            while writer < 0, !Task.isCancelled {
                writer = open(scene.path("pipe"), O_WRONLY | O_NONBLOCK)
                await Task.yield()
            }
            try #require(writer >= 0)
            defer { close(writer) }
            try await terminal.interrupt()
            terminal.type("\u{3}")
            try await terminal.screen(
                endingWith: "Something is busy that cannot be interrupted. Ctrl-C again leaves.")
            terminal.type("\u{3}")
            #expect(try await terminal.finish().status == 130)
        }

        @Test func dumbTerminalHasPlainLines() async throws {
            let terminal = try await counter(["TERM": "dumb", "NO_COLOR": ""])
            try await terminal.screen(endingWith: "counter>")
            try await terminal.type("increment\n", endingWith: "was 0\ncounter>")
            try await terminal.type("\u{3}", endingWith: "Ctrl-D)\ncounter>")
            terminal.type("\u{4}")
            #expect(try await terminal.finish().status == 0)
        }

        @Test func terminateGivesTheTerminalBack() async throws {
            let terminal = try await counter()
            try await terminal.screen(endingWith: "counter>")
            try await terminal.type("incr", endingWith: "counter> incr")
            terminal.send(SIGTERM)
            let (text, status) = try await terminal.finish()
            #expect(text.hasSuffix("counter> incr"))
            #expect(status == 143)
        }

        @Test func withoutAFlowTheBannerSaysWhatToDo() async throws {
            let terminal = try await ProgramTerminal(["repl"], home: Folder())
            let text = try await terminal.screen(endingWith: "scratch>")
            #expect(
                text == banner + """
                    No flow is open: .load FILE opens one, = evaluates Lua.
                    scratch>
                    """)
            terminal.type("\u{4}")
            #expect(try await terminal.finish().status == 0)
        }
    }
#endif
