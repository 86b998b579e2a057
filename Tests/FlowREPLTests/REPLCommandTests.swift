import FlowProtocol
import TestSupport
import Testing
import WorkflowKit

@testable import FlowREPL

@Suite struct REPLCommandTests {
    @Test func commandsMayBeShortened() async throws {
        let talk = try await Conversation.example("counter")
        #expect(await talk.answer(".sta") == "  count  0\n")
        #expect(await talk.answer(".tr") == "error: '.tr' could be .tree or .trace\n")
        #expect(
            await talk.answer(".tiemline") == """
                error: there is no command '.tiemline'. Did you mean '.timeline'?
                help: .help lists all commands

                """)
        #expect(
            await talk.answer(".") == """
                error: there is no command '.'
                help: .help lists all commands

                """)
    }

    @Test func helpNamesEveryCommand() async throws {
        let talk = try await Conversation.example("counter")
        let text = await talk.answer(".help")
        for command in DotCommand.allCases { #expect(text.contains("  .\(command.rawValue) ")) }
        #expect(await talk.answer(".help .exit") == ".exit  leaves; so does Ctrl-D\n")
        #expect(
            await talk.answer(".help save") == """
                .save FILE  writes a recording of this session
                The file can be played by .load, and by workflow-run replay.

                """)
    }

    @Test func helpIsTheGoldenOne() async throws {
        let talk = try await Conversation.example("counter")
        let help = await talk.answer(".help")
        #expect(try GoldenPage("repl-help.txt").difference(from: help) == nil)
        var details = ""
        for command in DotCommand.allCases {
            details += await talk.answer(".help \(command.rawValue)") + "\n"
        }
        #expect(try GoldenPage("repl-help-of-each.txt").difference(from: details) == nil)
    }

    @Test func flowThatTakesNothingHasNothingToSend() async throws {
        let scene = try Folder(["flow.lua": "return { render = function() return {} end }"])
        let talk = try await Conversation(scene.path("flow.lua"))
        #expect(await talk.answer(".actions") == "There is nothing to send.\n")
    }

    @Test func sinksThatAreTooManyAreCounted() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                apply = { add = function() end },
                render = function(_, context)
                    local rows = {}
                    for i = 1, 53 do rows[i] = context:sink("add") end
                    return { rows = rows }
                end,
            }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        let lines = await talk.answer(".actions").split(separator: "\n")
        #expect(lines.count == 52)
        #expect(lines.last == "  … 3 more sinks")
    }

    @Test func errorThatLuaDidNotRaiseHasNoCalls() async throws {
        let talk = try await Conversation.example("counter")
        _ = await talk.answer("ad")
        #expect(
            await talk.say(".trace", ".locals") == """
                counter> .trace
                error: counter has no action 'ad'; its actions are decrement, increment, reset
                  It was raised outside of Lua.
                counter> .locals
                The last error has no local variables.

                """)
    }

    @Test func actionsAreListedWithTheirFields() async throws {
        let talk = try await Conversation.example("todo")
        let text = await talk.say("add{ text = \"milk\", due = 3 }", ".actions")
        #expect(
            text == """
                todo> add{ text = "milk", due = 3 }
                  + rows[1]   { done = false, text = "milk" }
                  ~ title     0 of 1 done                        was 0 of 0 done
                todo> .actions
                  add             { text, due }
                  clear_done
                  finish
                  remove          { id }
                  rename          { id, text }
                  toggle          { id }
                  rows[1].edit    → edit
                  rows[1].remove  → remove
                  rows[1].toggle  → toggle

                """)
    }

    @Test func nodesAndStatesAreShown() async throws {
        let talk = try await Conversation.example("todo")
        _ = await talk.say("add{ text = \"milk\" }", "rows[1].edit")
        let text = await talk.say(".tree", ".state todo/item:1", ".state todo/item:2", ".rendering")
        #expect(
            text == """
                todo> .tree
                  todo  { items = { { done = false, id = 1, text = "milk" } }, next_id = 2 }
                    item:1  { editing = true }
                todo> .state todo/item:1
                  editing  true
                todo> .state todo/item:2
                error: there is no node 'todo/item:2'. Did you mean 'todo/item:1'?
                help: .tree shows the nodes
                todo> .rendering
                  rows
                    done   text
                    false  milk
                  title  0 of 1 done

                """)
    }

    @Test func nodesAndPartsOfTheRenderingHaveNames() async throws {
        let talk = try await Conversation.example("todo")
        _ = await talk.say("add{ text = \"milk\" }", "rows[1].edit")
        let text = await talk.say(
            ".state item:1", ".state item:2", ".rendering title", ".rendering rows[1]",
            ".rendering row")
        #expect(
            text == """
                todo> .state item:1
                  editing  true
                todo> .state item:2
                error: there is no node 'item:2'. Did you mean 'item:1'?
                help: .tree shows the nodes
                todo> .rendering title
                  0 of 1 done
                todo> .rendering rows[1]
                  done  false
                  text  milk
                todo> .rendering row
                error: the rendering has nothing at 'row'. Did you mean 'rows'?
                help: write a path such as rows[1].text

                """)
    }

    @Test func namesOfTheLuaAPIAreExplained() async throws {
        let talk = try await Conversation.example("todo")
        #expect(
            await talk.answer(".help string.rep") == """
                string.rep(s: string, n: integer, separator?: string): string
                  The text again and again.

                """)
        #expect(await talk.answer(".help context:sink").hasPrefix("context:sink(type: string"))
        #expect(await talk.answer(".help migrate").contains("in workflow.Definition"))
        #expect(await talk.answer(".help undo").hasPrefix(".undo [n or mine]  "))
        #expect(
            await talk.answer(".help contextt:sink").hasPrefix(
                "error: there is no command '.contextt:sink'"))
    }

    @Test func nodeWithoutStateSaysSo() async throws {
        let talk = try await Conversation.example("hello")
        #expect(await talk.answer(".state") == "  hello has no state.\n")
    }

    @Test func lastErrorIsTracedWithItsLocals() async throws {
        let talk = try await Conversation.example("checkout")
        #expect(await talk.answer(".trace") == "error: there was no error so far\n")
        _ = await talk.answer("add_item{ sku = \"tea\" }")
        let text = await talk.say(".trace", ".locals")
        #expect(
            text.withoutFolders == """
                checkout> .trace
                error: an item needs a price
                   ┌─ cart.lua:19
                   │
                18 │     else
                19 │         assert(type(item.price) == "number" and item.price >= 0, "an item needs a price")
                20 │         items[#items + 1] = { sku = item.sku, price = item.price, quantity = quantity }
                   │
                   = in apply.add_item of checkout
                   = the action was rolled back; the state is as before
                   = called from checkout.lua:24
                checkout> .locals
                  items     {}
                  item      { sku = "tea", type = "add_item" }
                  quantity  1
                  line      nil

                """)
    }

    @Test func printedLinesAreMessages() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                apply = { greet = function() print("hello") return "bye" end },
                render = function() return {} end,
            }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        let messages = await talk.repl.respond(to: "greet").messages
        #expect(
            messages == [
                REPLMessage(kind: .notice, text: scene.path("flow.lua") + ":2: hello\n"),
                REPLMessage(kind: .result, text: "  output      bye\n"),
            ])
    }

    @Test func clearAndExitAreLeftToTheTerminal() async throws {
        let talk = try await Conversation.example("counter")
        #expect(await talk.repl.respond(to: ".clear").clearsScreen)
        #expect(await talk.repl.respond(to: ".exit").isOver)
        #expect(await talk.repl.respond(to: ".quit").isOver)
    }

    @Test func renderingThatFailsIsAnErrorAndTheFlowGoesOn() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { n = 0 },
                apply = { set = function(state, action) state.n = action.n end },
                render = function(state) return { n = 1 + state.n } end,
            }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        let text = await talk.answer("set{ n = \"x\" }")
        #expect(
            text == """
                error: attempt to add a 'number' with a 'string'  \(scene.path("flow.lua")):4
                help: join texts with .., and make numbers of texts with tonumber(text)

                """)
        #expect(
            await talk.answer("set{ n = 4 }")
                == "  ~ n         5                                  was 1\n")
    }

    @Test func earlierStepsAreShownToAnAttachedREPL() async throws {
        let talk = try await Conversation.example("todo")
        for line in [
            "add{ text = \"milk\" }", "add{ text = \"tea\" }", "rows[1].toggle", "clear_done",
            "finish", ".goto 3",
        ] { _ = await talk.answer(line) }
        let session = try await talk.session
        let scene = try Folder()
        try await session.listen(at: scene.path("s.sock"))
        let lines = [
            ".timeline", ".diff", ".diff 1", ".diff 5", ".diff 0 5", ".diff 4 2", ".diff 3 3",
            ".diff 6",
        ]
        let client = try await scene.run(
            "attach", scene.path("s.sock"), input: lines.joined(separator: "\n"))
        var answers = ""
        for line in lines { answers += await talk.answer(line) }
        // Only how long after the beginning it was is not known.
        func steady(_ text: String) -> String {
            text.replacing(#/ \d+\.\d s /#, with: " before ").replacing(#/ {2,}/#, with: "  ")
        }
        #expect(steady(client.stdout + client.stderr) == steady(answers))
        #expect(steady(client.stdout).contains("  3  before  item:1  toggle  you  rows, title\n"))
        #expect(steady(client.stdout).contains("  5  before  todo  finish  you  output\n"))
        await session.close()
    }

    @Test func numbersThatAreTypedAreTakenOrRefused() async throws {
        let talk = try await Conversation.example("counter")
        _ = await talk.answer("increment")
        _ = await talk.answer(".log counter.lua:1: x")
        for text in NumberCases.texts {
            for command in [
                ".goto \(text)", ".undo \(text)", ".redo \(text)", ".diff \(text)",
                ".diff 0 \(text)", ".diff \(text) \(text)", ".step \(text)",
                ".log off \(text)", ".log counter.lua:\(text): x", text,
                ".rendering rows[\(text)]", ".why rows[\(text)]",
            ] where !command.isEmpty {
                _ = await talk.answer(command)
            }
        }
        #expect(await talk.answer("= 1 + 1") == "2\n")
    }
}
