import FlowTesting
import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import FlowREPL

@Suite struct REPLTimelineTests {
    private func talk() async throws -> Conversation {
        let talk = try await Conversation.example("counter")
        for _ in 1...3 { _ = await talk.answer("increment") }
        return talk
    }

    @Test func stepsAreUndoneAndRedone() async throws {
        let text = try await talk().say(
            ".undo", ".undo", ".redo", ".goto 3", ".goto 0", "= state.count")
        #expect(
            text == """
                counter> .undo
                  ~ count     2                                  was 3
                  At 2 of 3.
                counter@2/3> .undo
                  ~ count     1                                  was 2
                  At 1 of 3.
                counter@1/3> .redo
                  ~ count     2                                  was 1
                  At 2 of 3.
                counter@2/3> .goto 3
                  ~ count     3                                  was 2
                  At 3 of 3.
                counter> .goto 0
                  ~ count     0                                  was 3
                  At 0 of 3.
                counter@0/3> = state.count
                0

                """)
    }

    @Test func actionInThePastGivesUpTheLaterSteps() async throws {
        let text = try await talk().say(".goto 1", "decrement", ".redo", ".timeline")
        #expect(
            text == """
                counter> .goto 1
                  ~ count     1                                  was 3
                  At 1 of 3.
                counter@1/3> decrement
                  ~ count     0                                  was 1
                counter> .redo
                error: there is nothing to redo: this is the last step
                counter> .timeline
                     #  after  node     action     from  changed
                     0         counter  (start)
                     1  0.5 s  counter  increment  you   count
                  ▸  2  2.5 s  counter  decrement  you   count

                """)
    }

    @Test func failedActionInThePastGivesUpNothing() async throws {
        let text = try await talk().say(".undo", "incremet", ".redo")
        #expect(
            text == """
                counter> .undo
                  ~ count     2                                  was 3
                  At 2 of 3.
                counter@2/3> incremet
                error: counter has no action 'incremet'. Did you mean 'increment'?
                counter@2/3> .redo
                  ~ count     3                                  was 2
                  At 3 of 3.

                """)
    }

    @Test func branchGoesOnFromThePast() async throws {
        let text = try await talk().say(".undo", ".branch", ".branch")
        #expect(
            text == """
                counter> .undo
                  ~ count     2                                  was 3
                  At 2 of 3.
                counter@2/3> .branch
                  Goes on from 2; 1 later step is given up.
                counter> .branch
                error: there is nothing to give up: this is the last step
                help: go back first, by .undo or .goto n

                """)
    }

    @Test(arguments: [
        (".goto 4", "error: there is no step 4\nhelp: steps are counted from 0 to 3\n"),
        (".goto", "error: .goto takes the number of a step\nhelp: .timeline shows the steps\n"),
        (".redo", "error: there is nothing to redo: this is the last step\n"),
        (".diff 1 2 3", "error: .diff takes one step or two\n"),
        (".diff x", "error: .diff takes the number of a step\nhelp: .timeline shows the steps\n"),
        (".undo 4", "error: there are only 3 steps to undo\n"),
        (".redo 1", "error: there is nothing to redo: this is the last step\n"),
        (
            ".undo x",
            """
            error: .undo takes a number of steps, or mine
            help: write .undo 2; .goto takes the number of a step

            """
        ), (".step 4", "error: there is no step 4\nhelp: steps are counted from 0 to 3\n"),
        (".step", "error: .step takes the number of a step\nhelp: .timeline shows the steps\n"),
    ]) func stepsThatThereAreNotAreErrors(_ line: String, _ message: String) async throws {
        #expect(try await talk().answer(line) == message)
    }

    @Test func severalStepsAreUndoneAtOnce() async throws {
        let text = try await talk().say(".undo 2", ".redo 2", ".undo 3")
        #expect(
            text == """
                counter> .undo 2
                  ~ count     1                                  was 3
                  At 1 of 3.
                counter@1/3> .redo 2
                  ~ count     3                                  was 1
                  At 3 of 3.
                counter> .undo 3
                  ~ count     0                                  was 3
                  At 0 of 3.

                """)
    }

    @Test func stepIsShownWithAllThatCameInAndOut() async throws {
        let talk = try await Conversation.example("todo")
        _ = await talk.say("add{ text = \"milk\" }", "rows[1].toggle", "finish")
        let text = await talk.say(".timeline", ".step 0", ".step 1", ".step 3")
        #expect(
            text == """
                todo> .timeline
                     #  after  node    action                 from  changed
                     0         todo    (start)
                     1  0.5 s  todo    add { text = "milk" }  you   rows, title
                     2  1.0 s  item:1  toggle                 you   rows, title
                  ▸  3  1.5 s  todo    finish                 you   output
                todo> .step 0
                  The beginning: nothing has come in yet.
                todo> .step 1
                  Step 1 of 3, after 0.5 s: add for todo, from you.
                    text  milk
                  + rows[1]   { done = false, text = "milk" }
                  ~ title     0 of 1 done                        was 0 of 0 done
                todo> .step 3
                  Step 3 of 3, after 1.5 s: finish for todo, from you.
                  output      { count = 1 }

                """)
    }

    @Test func nothingCanBeUndoneAtTheBeginning() async throws {
        let talk = try await Conversation.example("counter")
        #expect(
            await talk.answer(".undo") == "error: there is nothing to undo: this is the beginning\n"
        )
    }

    @Test(arguments: [
        (".diff", "  ~ count     3                                  was 2\n"),
        (".diff 1", "  ~ count     1                                  was 0\n"),
        (".diff 0 3", "  ~ count     3                                  was 0\n"),
        (".diff 3 1", "  ~ count     1                                  was 3\n"),
        (".diff 2 2", "The rendering after 2 is the same as after 2.\n"),
    ]) func differencesAreShown(_ line: String, _ text: String) async throws {
        #expect(try await talk().answer(line) == text)
    }

    @Test func actionThatAChildCannotFollowIsInTheTimeline() async throws {
        let scene = try Folder([
            "flow.lua": """
            local Child = { name = "child", state = {} }
            function Child.changed(_, new) if new.boom then error("no booms") end end
            function Child.render() return {} end

            local Flow = { name = "flow", state = { n = 0, boom = false } }
            Flow.apply = {
                boom = function(state) state.n, state.boom = state.n + 1, not state.boom end,
            }
            function Flow.changed(_, new) if new.refused then error("refused") end end
            function Flow.render(state, context)
                return { n = state.n, child = context:render(Child, { boom = state.boom }) }
            end
            return Flow
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        #expect(await talk.answer("boom").contains("no booms"))
        let text = await talk.say("= state", ".timeline", ".undo", "= state.n", ".redo", "boom")
        #expect(
            text == """
                flow> = state
                { boom = true, n = 1 }
                flow> .timeline
                     #  after  node  action   from  changed
                     0         flow  (start)
                  ▸  1  0.5 s  flow  boom     you
                flow> .undo
                  At 0 of 1.
                flow@0/1> = state.n
                0
                flow@0/1> .redo
                  At 1 of 1.
                flow> boom
                  ~ n         2                                  was 0

                """)
        // Refused props are not a step, so what follows is reported for the right step.
        let session = try await talk.session
        await #expect(throws: FlowError.self) { try await session.update(props: ["refused": true]) }
        _ = await talk.repl.news()
        let timeline = await talk.answer(".timeline")
        #expect(
            timeline == """
                     #  after  node  action   from  changed
                     0         flow  (start)
                     1  0.5 s  flow  boom     you
                  ▸  2  3.5 s  flow  boom     you   n

                """)
        let answer = await talk.answer(".test booms")
        #expect(answer == "  Wrote \(scene.path("booms_test.lua")), 2 steps.\n")
        let results = try FlowTestFile(.file(scene.path("booms_test.lua"))).run()
        #expect(results.map { $0.failure?.error.description } == [nil])
    }

    @Test func namesThatDoNotFitAreCounted() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                name = "\\27[31mred\\r", state = { n = 0 },
                apply = { go = function(state) state.n = state.n + 1 return state.n end },
                render = function(state)
                    local fields = {}
                    for i = 1, 9 do fields["a" .. i] = state.n end
                    return fields
                end,
            }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"), columns: 200)
        _ = await talk.answer("go")
        #expect(
            await talk.answer(".timeline") == #"""
                     #  after  node                action   from  changed
                     0         \u{1B}[31mred\u{D}  (start)
                  ▸  1  0.5 s  \u{1B}[31mred\u{D}  go       you   a1, a2, a3, a4, a5, a6, output, … 3 more

                """#)
        _ = await talk.answer(".test nine")
        let test = try scene.text(of: "nine_test.lua")
        #expect(test.contains("a9 = 1"))
        #expect(test.contains("flow:expect_output(1)"))
    }

    @Test func inputsInOneInstantAreToldApart() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { n = 0 },
                apply = {
                    add = function(state) state.n = state.n + 1 end,
                    fail = function() error("no") end,
                },
                render = function(state) return { n = state.n } end,
            }
            """
        ])
        let options = REPL.Options.standingStill
        let repl = try await REPL.open(.file(scene.path("flow.lua")), options: options)
        for line in ["fail", "add", "fail", "add"] { _ = await repl.respond(to: line) }
        let text = await repl.respond(to: ".diff 1 2").messages.map(\.text).joined()
        #expect(text == "  ~ n         2                                  was 1\n")
    }
}

extension REPL.Options {
    fileprivate static var standingStill: REPL.Options {
        var options = REPL.Options()
        options.flowOptions.now = { 1000 }
        return options
    }
}
