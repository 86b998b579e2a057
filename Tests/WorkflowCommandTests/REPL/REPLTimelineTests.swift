import Testing
import WorkflowKit

@testable import WorkflowCommand

/// Going back and forth.
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
        (".undo 2", "error: .undo takes nothing after it\n"),
    ])
    func stepsThatThereAreNotAreErrors(_ line: String, _ message: String) async throws {
        #expect(try await talk().answer(line) == message)
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
    ])
    func differencesAreShown(_ line: String, _ text: String) async throws {
        #expect(try await talk().answer(line) == text)
    }

    @Test func inputsInOneInstantAreToldApart() async throws {
        let scene = try Scene([
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
        let settings = REPL.Settings.standingStill
        let repl = try await REPL.open(.file(scene.path("flow.lua")), settings: settings)
        for line in ["fail", "add", "fail", "add"] { _ = await repl.take(line) }
        let text = await repl.take(".diff 1 2").pieces.map(\.text).joined()
        #expect(text == "  ~ n         2                                  was 1\n")
    }
}

extension REPL.Settings {
    /// Settings whose time does not go on.
    fileprivate static var standingStill: REPL.Settings {
        var settings = REPL.Settings()
        settings.options.now = { 1000 }
        return settings
    }
}
