#if canImport(Glibc)
    import TestSupport
    import Testing

    @Suite struct TerminalTests {
        private let files = [
            "flow.lua": #"""
            return {
                name = "shop",
                state = { items = { { sku = "tea-01", price = 9.5 }, { sku = "mug", price = 12 } } },
                apply = {
                    add = function(state, action) table.insert(state.items, { sku = "pot", price = 40 }) end,
                    fail = function() error("no\27[2Jluck") end,
                    pay = function() return { order = "A-1042" } end,
                },
                render = function(state, context)
                    return {
                        title = "Cart",
                        items = state.items,
                        add = context:sink("add"),
                        fail = context:sink("fail"),
                        pay = context:sink("pay"),
                    }
                end,
            }
            """#
        ]

        /// A run on a terminal, by default one that only supports lines.
        private func terminal(
            _ options: [String] = [], _ environment: [String: String] = ["TERM": "dumb"]
        ) async throws -> ProgramTerminal {
            let folder = try Folder(files)
            return try await ProgramTerminal(
                [folder.path("flow.lua")] + options, home: folder, environment: environment)
        }

        private let first = """

            shop
              items
                price  sku
                  9.5  tea-01
                   12  mug
              title  Cart

              1 add   2 fail   3 pay
            › 
            """

        @Test func renderingIsATreeAndActionsHaveNumbers() async throws {
            let terminal = try await terminal()
            #expect(try await terminal.text(to: "› ") == first)
            terminal.type("1\n")
            #expect(
                try await terminal.text(to: "› ") == """
                    1

                    shop  after add
                    + items[3]  { price = 40, sku = "pot" }
                      … title as before

                      1 add   2 fail   3 pay
                    › 
                    """)
            terminal.type("pay\n")
            #expect(
                await terminal.rest().replacing(/\d+\.\d s/, with: "1.0 s") == """
                    pay

                    ✓ shop finished with { order = "A-1042" }         2 actions, 1.0 s

                    """)
            #expect(try await terminal.status() == 0)
        }

        @Test func errorIsShownAndThePromptComesBack() async throws {
            let terminal = try await terminal()
            _ = try await terminal.text(to: "› ")
            terminal.type("2\n")
            #expect(
                try await terminal.text(to: "› ").withoutFolders == #"""
                    2
                    error: no\u{1B}[2Jluck
                      ┌─ flow.lua:6
                      │
                    5 │         add = function(state, action) table.insert(state.items, { sku = "pot", price = 40 }) end,
                    6 │         fail = function() error("no\27[2Jluck") end,
                    7 │         pay = function() return { order = "A-1042" } end,
                      │
                      = in apply.fail of shop
                      = the action was rolled back; the state is as before

                      1 add   2 fail   3 pay
                    › 
                    """#)
            terminal.type("\u{4}")
            #expect(await terminal.rest() == "\n")
            #expect(try await terminal.status() == 65)
        }

        @Test func numberThatNoActionHasIsAnError() async throws {
            let terminal = try await terminal()
            _ = try await terminal.text(to: "› ")
            terminal.type("7\n")
            #expect(
                try await terminal.text(to: "› ") == """
                    7
                    error: there is no action with the number 7
                    help: type a number from 1 to 3, or an action

                      1 add   2 fail   3 pay
                    › \("")
                    """)
            terminal.type("\u{4}")
            _ = await terminal.rest()
            #expect(try await terminal.status() == 65)
        }

        @Test func controlDEndsTheRun() async throws {
            let terminal = try await terminal()
            _ = try await terminal.text(to: "› ")
            terminal.type("\u{4}")
            #expect(await terminal.rest() == "\n")
            #expect(try await terminal.status() == 0)
        }

        @Test func controlCInterruptsTheRun() async throws {
            let terminal = try await terminal()
            _ = try await terminal.text(to: "› ")
            terminal.type("\u{3}")
            #expect(await terminal.rest() == "^C\n")
            #expect(try await terminal.status() == 130)
        }

        @Test(arguments: [
            (["TERM": "xterm", "NO_COLOR": ""], [], true),
            (["TERM": "xterm", "NO_COLOR": "1"], [], false),
            (["TERM": "dumb", "NO_COLOR": ""], [], false),
            (["TERM": "dumb", "NO_COLOR": "1"], ["--color", "always"], true),
            (["TERM": "xterm", "NO_COLOR": ""], ["--color", "never"], false),
        ]) func colourIsForTerminalsThatWantIt(
            _ environment: [String: String], _ options: [String], _ isColored: Bool
        ) async throws {
            let terminal = try await terminal(options, environment)
            let text = try await terminal.text(to: "› ")
            #expect(text.contains("\u{1B}[1mshop\u{1B}[0m") == isColored)
            #expect(text.contains("\u{1B}[0m") == isColored)
            terminal.type("\u{4}")
            _ = await terminal.rest()
            #expect(try await terminal.status() == 0)
        }

        @Test func pipeIsNeverColouredUnlessItIsToBe() async throws {
            let scene = try Folder(files)
            let plain = try await scene.run(
                "flow.lua", input: "fail\n", environment: ["TERM": "xterm", "NO_COLOR": ""])
            #expect(!(plain.stdout + plain.stderr).contains("\u{1B}"))
            let colored = try await scene.run("flow.lua", "--color", "always", input: "fail\n")
            #expect(colored.stderr.hasPrefix("\u{1B}[1;31merror:\u{1B}[0m "))
        }
    }
#endif
