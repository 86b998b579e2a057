import FlowPrinting
import FlowProtocol
import TestSupport
import Testing
import WorkflowKit

@testable import FlowREPL

@Suite struct REPLActionTests {
    @Test func actionsAndSinksSayWhatTheyChange() async throws {
        let talk = try await Conversation.example("checkout")
        let text = await talk.say(
            "add_item{ sku = \"mug-07\", price = 12, quantity = 2 }",
            "add_item{",
            "  sku = \"tea-01\",",
            "  price = 9.5, quantity = 1 }",
            "= #state.items",
            "items[1].remove",
            "pay",
            "payment.authorized{ order = \"A-1042\" }",
            "confirmation.close")
        #expect(
            text == """
                checkout> add_item{ sku = "mug-07", price = 12, quantity = 2 }
                  + items[1]  { price = 12, quantity = 2, sku = "mug-07" }
                  ~ total     24                                 was 0
                checkout> add_item{
                       >>   sku = "tea-01",
                       >>   price = 9.5, quantity = 1 }
                  + items[2]  { price = 9.5, quantity = 1, sku = "tea-01" }
                  ~ total     33.5                               was 24
                checkout> = #state.items
                2
                checkout> items[1].remove
                  - items[1]
                  ~ total     9.5                                was 33.5
                checkout> pay
                  - items
                  ~ screen    paying                             was cart
                  - total
                  + payment   { amount = 9.5, status = "authorizing" }
                checkout> payment.authorized{ order = "A-1042" }
                  - payment
                  ~ screen        done                             was paying
                  + confirmation  { message = "Thank you for order A-1042", total = 9.5 }
                checkout> confirmation.close
                  output      { order = "A-1042", total = 9.5 }

                """)
    }

    @Test(arguments: [
        "add{ text = \"milk\" }", "{ type = \"add\", text = \"milk\" }",
        "{\"type\": \"add\", \"text\": \"milk\"}", "add {\"text\": \"milk\"}",
        "{\"$sink\": {\"node\": \"todo\", \"action\": {\"type\": \"add\", \"text\": \"milk\"}}}",
    ]) func oneActionHasManySpellings(_ line: String) async throws {
        let talk = try await Conversation.example("todo")
        #expect(
            await talk.answer(line) == """
                  + rows[1]   { done = false, text = "milk" }
                  ~ title     0 of 1 done                        was 0 of 0 done

                """)
    }

    @Test func unfinishedJSONGoesOnToo() async throws {
        let talk = try await Conversation.example("todo")
        let text = await talk.say("{ \"type\": \"add\",", "  \"text\": \"milk\" }")
        #expect(
            text == """
                todo> { "type": "add",
                   >>   "text": "milk" }
                  + rows[1]   { done = false, text = "milk" }
                  ~ title     0 of 1 done                        was 0 of 0 done

                """)
    }

    @Test func unfinishedLinesCanBeDropped() async throws {
        let talk = try await Conversation.example("todo")
        _ = await talk.say("add{ text = \"milk\",")
        #expect(await talk.repl.prompt == "   >> ")
        await talk.repl.drop()
        #expect(await talk.say("= #state.items") == "todo> = #state.items\n0\n")
    }

    @Test func inputThatEndsWithinALineIsAnError() async throws {
        let talk = try await Conversation.example("todo")
        _ = await talk.say("add{ text = \"milk\",", "")
        let reply = await talk.repl.finish()
        #expect(
            reply.messages.map(\.text) == ["error: the input ends within: add{ text = \"milk\",\n"])
        #expect(await talk.repl.hasFailed)
    }

    @Test func fieldsAreAddedToThoseThatASinkCarries() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { last = "" },
                apply = { set = function(state, action) state.last = action.a .. action.b end },
                render = function(state, context)
                    return { last = state.last, rows = { { put = context:sink("set", { a = "x", b = "y" }) } } }
                end,
            }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        #expect(
            await talk.answer("rows[1].put")
                == "  ~ last      xy                                 was \"\"\n")
        #expect(
            await talk.answer("rows[1].put{ b = \"z\" }")
                == "  ~ last      xz                                 was xy\n")
    }

    @Test func sinksAreSentByTheirNumbers() async throws {
        let talk = try await Conversation.example("checkout")
        _ = await talk.answer("add_item{ sku = \"mug-07\", price = 12 }")
        let paths = sinksInOrder(try await talk.session.rendering).map(\.path)
        let number = try #require(paths.firstIndex(of: "items[1].remove")) + 1
        #expect(await talk.answer("\(number){ by = 1 }").hasPrefix("  - items[1]"))
        #expect(await talk.answer("= _error") == "nil\n")
    }

    @Test func wordsThatAreActionsOfTheFlowAreSent() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { n = 0 }, apply = { help = function(state) state.n = state.n + 1 end },
                render = function(state) return { n = state.n } end,
            }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        #expect(
            await talk.answer("help") == "  ~ n         1                                  was 0\n")
    }

    @Test func blankLinesAndCommentsAreLeftOut() async throws {
        let talk = try await Conversation.example("counter")
        #expect(
            await talk.say("", "   ", "-- a remark")
                == "counter> \ncounter>    \ncounter> -- a remark\n")
        #expect(await !talk.repl.hasFailed)
    }

    @Test(arguments: [
        (
            "remove_items",
            "error: checkout has no action 'remove_items'. Did you mean 'remove_item'?\n"
        ),
        (
            "items[1].remov",
            """
            error: the rendering has no sink 'items[1].remov'. Did you mean 'items[1].remove'?
            help: see .actions for all that can be sent

            """
        ), ("add_item{ sku = }", "error: unexpected symbol near '}'\n"),
        ("add_item{ \"a\" }", "error: fields have names: write { text = \"milk\" }\n"),
        (
            "add_item{ sku = \"a\" } add_item{ sku = \"b\" }",
            """
            error: there is more behind the action: { sku = "a" } add_item{ sku = "b" }
            help: write one action a line

            """
        ),
        ("add_item{ sku = \"a }", "error: unfinished string near <eof>\n"),
        ("exit", "error: checkout has no action 'exit'\nhelp: .exit leaves; so does Ctrl-D\n"),
        ("help", "error: checkout has no action 'help'\nhelp: .help shows what can be typed\n"),
        ("?", "error: not an action: \"?\"\nhelp: .help shows what can be typed\n"),
        (
            "9",
            """
            error: there is no action with the number 9
            help: type a number from 1 to 3, or an action

            """
        ),
        (
            "what is this",
            """
            error: not an action: "what is this"
            help: write add, add{ text = "milk" } or {"type": "add", "text": "milk"}

            """
        ),
    ]) func errorsChangeNothing(_ line: String, _ message: String) async throws {
        let talk = try await Conversation.example("checkout")
        _ = await talk.answer("add_item{ sku = \"mug-07\", price = 12 }")
        let before = try await talk.session.state()
        let reply = await talk.repl.respond(to: line)
        #expect(reply.messages.map(\.text).joined() == message)
        #expect(reply.messages.map(\.kind) == [.notice])
        #expect(reply.hasFailed && !reply.isOver)
        #expect(try await talk.session.state() == before)
        #expect(try await talk.session.stepCount == 1)
    }
}
