import Testing

@Suite struct REPLExpressionTests {
    @Test(arguments: [
        ("= 1 + 1", "2\n"), ("=state.count", "1\n"), ("= rendering.count == state.count", "true\n"),
        ("= props.step", "nil\n"), ("= nil", "nil\n"),
        ("= { a = 1, b = { 1, 2 } }", "{ a = 1, b = { 1, 2 } }\n"),
        ("= (\"x\"):rep(3)", "\"xxx\"\n"), ("= _", "nil\n"), ("= _error", "nil\n"),
    ]) func expressionsSeeTheFlow(_ line: String, _ value: String) async throws {
        let talk = try await Conversation.example("counter")
        _ = await talk.answer("increment")
        #expect(await talk.answer(line) == value)
    }

    @Test(arguments: [
        ("= 1, 2", "1, 2\n"), ("= pcall(error, \"why\")", "false, \"why\"\n"),
        ("= (\"abcde\"):find(\"cd\")", "3, 4\n"), ("= nil, \"not found\"", "nil, \"not found\"\n"),
        ("= nil, nil", "nil, nil\n"), ("= pcall(error)", "false, nil\n"),
        ("= next(rendering)", "\"count\", 1\n"), ("= (pcall(error, \"why\"))", "false\n"),
        ("= (function() end)()", "nil\n"), ("= 1 -- one", "1\n"),
        ("= select(2, 1, nil, { 3 }, nil)", "nil, { 3 }, nil\n"), ("= n = 4, 5", "4\n"),
    ]) func allValuesOfAnExpressionAreShown(_ line: String, _ values: String) async throws {
        let talk = try await Conversation.example("counter")
        _ = await talk.answer("increment")
        #expect(await talk.answer(line) == values)
    }

    @Test(arguments: [
        ("= 1, print", "error: value 2: a function is not a plain value"),
        ("= print", "error: value: a function is not a plain value"),
        ("= 1, 1 / 0", "error: value 2: "), ("= 1) , (2", "error: <eof> expected near ')'"),
        ("= table.unpack({}, 1, 251)", "error: the expression has 251 values, more than 250"),
    ]) func aValueThatCannotBeShownIsNamed(_ line: String, _ error: String) async throws {
        let talk = try await Conversation.example("counter")
        #expect(await talk.answer(line).hasPrefix(error))
    }

    @Test func longValuesHaveLinesOfTheirOwn() async throws {
        let talk = try await Conversation.example("counter")
        let word = String(repeating: "x", count: 60)
        #expect(await talk.answer("= '\(word)', '\(word)'") == "\"\(word)\"\n\"\(word)\"\n")
    }

    @Test func lastOutputAndLastErrorHaveNames() async throws {
        let talk = try await Conversation.example("todo")
        _ = await talk.say("add{ text = \"milk\" }", "finish", "ad")
        #expect(await talk.answer("= _.count") == "1\n")
        #expect(
            await talk.answer("= _error.message")
                == "\"todo has no action 'ad'. Did you mean 'add'?\"\n")
    }

    @Test func textBehindAnExpressionIsAnErrorAtOnce() async throws {
        let talk = try await Conversation.example("counter")
        let text = await talk.say("= 1 2", "= 1 == 1")
        #expect(
            text == """
                counter> = 1 2
                error: <eof> expected near '2'
                help: write one expression a line
                counter> = 1 == 1
                true

                """)
    }

    @Test func namesLiveOn() async throws {
        let talk = try await Conversation.example("counter")
        let text = await talk.say(
            "= n = state.count + 41", "increment", "= local m = { n, state.count }", "= m[1] + n",
            "= n = n + 1", "= n", "= state = 1", "= string = 1", "= end = 1")
        #expect(
            text == """
                counter> = n = state.count + 41
                41
                counter> increment
                  ~ count     1                                  was 0
                counter> = local m = { n, state.count }
                { 41, 1 }
                counter> = m[1] + n
                82
                counter> = n = n + 1
                42
                counter> = n
                42
                counter> = state = 1
                error: 'state' has a meaning already
                help: choose another name
                counter> = string = 1
                error: 'string' has a meaning already
                help: choose another name
                counter> = end = 1
                error: <eof> expected near 'end'
                help: write one expression a line

                """)
    }

    @Test func stateIsReadOnly() async throws {
        let talk = try await Conversation.example("counter")
        #expect(
            await talk.answer("= (function() state.count = 5 end)()").hasPrefix(
                "error: state is read-only"))
        #expect(await talk.answer("= state.count") == "0\n")
    }

    @Test func unfinishedExpressionGoesOn() async throws {
        let talk = try await Conversation.example("counter")
        let text = await talk.say("= 1 +", "2")
        #expect(
            text == """
                counter> = 1 +
                      >> 2
                3

                """)
    }

    @Test func wideTablesAreTrees() async throws {
        let talk = try await Conversation.example("todo")
        for name in ["milk", "bread", "butter"] {
            _ = await talk.answer("add{ text = \"\(name) and something else\" }")
        }
        #expect(
            await talk.answer("= state.items") == """
                  done   id  text
                  false   1  milk and something else
                  false   2  bread and something else
                  false   3  butter and something else

                """)
    }

    @Test func endlessExpressionIsStopped() async throws {
        // Time enough for one that ends.
        let talk = try await Conversation(nil, timeLimit: .milliseconds(500))
        let text = await talk.answer("= (function() while true do end end)()")
        #expect(text.hasPrefix("error: stopped after 500 ms in one call\n"))
        #expect(await talk.answer("= 1") == "1\n")
    }

    @Test func emptyExpressionIsAnError() async throws {
        let talk = try await Conversation.example("counter")
        #expect(
            await talk.answer("=") == """
                error: there is no expression after '='
                help: write = state, = #rendering.items, or any other Lua expression

                """)
    }

    @Test func scratchFlowEvaluates() async throws {
        let talk = try await Conversation(nil)
        #expect(await talk.say("= 6 * 7") == "scratch> = 6 * 7\n42\n")
    }
}
