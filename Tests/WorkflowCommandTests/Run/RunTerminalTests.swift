#if canImport(Glibc)
    import Foundation
    import LibC
    import TestSupport
    import Testing

    @Suite struct RunTerminalTests {
        private let files = [
            "flow.lua": """
            return {
                name = "shop",
                state = { screen = "cart" },
                apply = {
                    pay = function(state) state.screen = "paying" end,
                    cancel = function(state) state.screen = "cart" end,
                    paid = function(state) return { order = 1 } end,
                    spin = function() print("spinning") for _ = 1, math.huge do end end,
                    say = function() print("hello") end,
                },
                render = function(state, context)
                    if state.screen == "paying" then
                        context:run("clock.after", context.props, { on_output = "paid" })
                    end
                    return {
                        screen = state.screen,
                        pay = state.screen == "cart" and context:sink("pay") or nil,
                        cancel = state.screen == "paying" and context:sink("cancel") or nil,
                    }
                end,
            }
            """
        ]

        private let first = """

            shop
              screen  cart

              1 pay
            ›
            """

        private func start(seconds: Double, _ options: [String] = []) async throws
            -> ProgramTerminal
        {
            let scene = try Folder(files)
            let terminal = try await ProgramTerminal(
                ["run", scene.path("flow.lua"), "--props", "{\"seconds\": \(seconds)}"] + options,
                home: scene)
            let text = try await terminal.screen(endingWith: "›")
            #expect(text == first)
            return terminal
        }

        private func timeless(_ text: String) -> String {
            text.replacing(#/ +(?=2 actions, )/#, with: "  ")
                .replacing(/\d+\.\d s/, with: "1.0 s").replacing(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, with: "⠹")
        }

        private let paying = """

            shop  after pay
            ~ screen    paying                              was cart

              1 cancel

            """

        @Test func runningWorkerIsALineUntilItEnds() async throws {
            // Time enough to see it.
            let terminal = try await start(seconds: 5)
            terminal.type("1\r")
            let text = try await terminal.screen(until: {
                $0.contains("→ clock.after") && $0.hasSuffix("›")
            })
            #expect(
                timeless(text) == first + " 1\n" + paying + """
                      ⠹ shop → clock.after  1.0 s
                    ›
                    """)
            let (end, status) = try await terminal.finish()
            #expect(
                timeless(end) == first + " 1\n" + paying + """

                    ✓ shop finished with { order = 1 }  2 actions, 1.0 s
                    """)
            #expect(status == 0)
        }

        @Test func enteredLineRemovesTheWorkersAboveIt() async throws {
            let terminal = try await start(seconds: 1000)
            terminal.type("1\r")
            try await terminal.screen(until: { $0.contains("→ clock.after") })
            terminal.type("canc")
            let early = try await terminal.screen(until: {
                $0.contains("→ clock.after") && $0.hasSuffix(" s\n› canc")
            })
            // The time is updated in place.
            let later = try await terminal.screen(until: {
                $0 != early && $0.hasSuffix(" s\n› canc")
            })
            #expect(timeless(early) == timeless(later))
            terminal.type("el\r")
            let text = try await terminal.screen(endingWith: "1 pay\n›")
            #expect(
                text == first + " 1\n" + paying + """
                    › cancel

                    shop  after cancel
                    ~ screen    cart                                was paying

                      1 pay
                    ›
                    """)
            terminal.type("\u{4}")
            let (_, status) = try await terminal.finish()
            #expect(status == 0)
        }

        @Test func controlCInterruptsACallAndEndsTheRun() async throws {
            let terminal = try await start(seconds: 1, ["--max-time", "1000"])
            terminal.type("spin\r")
            // Input before the call would end the run without it.
            try await terminal.screen { $0.contains("spinning") }
            terminal.type("\u{3}")
            let (text, status) = try await terminal.finish()
            #expect(
                text.withoutFolders.contains("error: the call was interrupted\n  ┌─ flow.lua:8\n"))
            #expect(status == 130)
        }

        @Test func controlCLeavesALineThatWasBegun() async throws {
            let terminal = try await start(seconds: 1)
            try await terminal.type("pa", endingWith: "› pa")
            terminal.type("\u{3}")
            let (text, status) = try await terminal.finish()
            // The terminal shows ^C after the signal, which may have ended the run by then.
            #expect([" pa^C", " pa"].contains(text.dropFirst(first.count)))
            #expect(text.hasPrefix(first))
            #expect(status == 130)
        }

        @Test func numberThatNoSinkHasIsAnError() async throws {
            let terminal = try await start(seconds: 1)
            terminal.type("2\r")
            try await terminal.screen(
                endingWith: """
                    error: there is no action with the number 2
                    help: type a number from 1 to 1, or an action

                      1 pay
                    ›
                    """)
            terminal.type("\u{4}")
            _ = try await terminal.finish()
            let scene = try Folder([
                "flow.lua":
                    "return { apply = { add = function() end }, render = function() return {} end }"
            ])
            let silent = try await ProgramTerminal(["run", scene.path("flow.lua")], home: scene)
            try await silent.screen(endingWith: "›")
            silent.type("1\r")
            try await silent.screen(
                endingWith: """
                    error: there is no action with the number 1
                    help: write an action, such as add{ text = "milk" }
                    ›
                    """)
            silent.type("\u{4}")
            _ = try await silent.finish()
        }

        @Test func whatAFlowPrintsStandsAboveTheLine() async throws {
            let terminal = try await start(seconds: 1)
            terminal.type("sa\t\r")
            let text = try await terminal.screen(endingWith: "hello\n\n  1 pay\n›")
            #expect(text.withoutFolders == first + " say\nflow.lua:9: hello\n\n  1 pay\n›")
            terminal.type("\u{4}")
            _ = try await terminal.finish()
        }

        @Test func terminateTakesThePromptAway() async throws {
            let terminal = try await start(seconds: 1)
            terminal.send(SIGTERM)
            let (text, status) = try await terminal.finish()
            #expect(text == "\nshop\n  screen  cart\n\n  1 pay")
            #expect(status == 143)
        }

        @Test func dumbTerminalShowsNoWorkersAtWork() async throws {
            let scene = try Folder(files)
            let terminal = try await ProgramTerminal(
                [scene.path("flow.lua"), "--props", "{\"seconds\": 0.5}"], home: scene,
                environment: ["TERM": "dumb"])
            _ = try await terminal.text(to: "› ")
            terminal.type("1\n")
            let text = await terminal.rest()
            // The prompt may or may not come back before the run ends.
            #expect(
                timeless(text).replacing("› ", with: "") == "1\n" + paying + """


                    ✓ shop finished with { order = 1 }  2 actions, 1.0 s


                    """)
            #expect(try await terminal.status() == 0)
        }
    }
#endif
