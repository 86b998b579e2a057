import Testing
import Workflow
import WorkflowTesting

@Suite struct ActionTesterTests {
    @Test func actionsAdvanceTheStateAndGiveOutputs() {
        Profile.Action.tester(withState: .init(), workflow: Profile(id: 2))
            .send(action: .loaded("Ada")).assertNoOutput()
            .send(action: .tapped).assert(state: .init(name: "Ada", taps: 2))
            .verifyState { #expect($0.taps == 2) }
            .send(action: .done).assert(output: "Ada")
            .verifyOutput { #expect($0.count == 3) }
    }

    @Test func anActionThatThrowsLeavesTheState() {
        Profile.Action.tester(withState: .init()).send(action: .refuse).assertFailure("not now")
            .assert(state: .init())
    }

    @Test func aFailureThatDiffersAndAnOutputThatIsMissingFail() {
        let messages = failures {
            Profile.Action.tester(withState: .init())
                .send(action: .refuse).assertFailure("not ever").verifyOutput { _ in }
        }
        #expect(
            messages == [
                """
                The failure differs:

                  - "not ever"
                  + "not now"

                (expected: -, actual: +)

                Steps so far:
                  1. started with Profile.State( name: nil, taps: 0 )
                  2. sent Profile.Action.refuse
                """,
                """
                There was no output.

                Steps so far:
                  1. started with Profile.State( name: nil, taps: 0 )
                  2. sent Profile.Action.refuse
                """,
            ])
    }

    @Test func valuesThatDifferInNothingThatShowsAreBothShown() {
        struct Odd: Workflow {
            struct State: Equatable { static func == (one: State, other: State) -> Bool { false } }
            func makeInitialState() -> State { State() }
            func render(state: State, context: RenderContext<Odd>) {}
        }
        let messages = failures { Odd().renderTester().render().assert(state: Odd.State()) }
        #expect(
            messages == [
                """
                The state differs:

                    // Not equal but no difference detected:
                  - ActionTesterTests.Odd.State()
                  + ActionTesterTests.Odd.State()

                (expected: -, actual: +)

                Steps so far:
                  1. rendered ActionTesterTests.Odd() with ActionTesterTests.Odd.State()
                """
            ])
    }

    @Test func whatDiffersFailsWithTheSteps() {
        #expect(
            failures {
                Profile.Action.tester(withState: .init(name: "Ada"))
                    .send(action: .done).assert(output: "Bob").assertNoOutput()
                    .assertFailure("not now")
            } == [
                """
                The output differs:

                  - "Bob"
                  + "Ada"

                (expected: -, actual: +)

                Steps so far:
                  1. started with Profile.State( name: "Ada", taps: 0 )
                  2. sent Profile.Action.done
                """,
                """
                Unexpected output: "Ada"

                Steps so far:
                  1. started with Profile.State( name: "Ada", taps: 0 )
                  2. sent Profile.Action.done
                """,
                """
                The action did not fail; expected:
                  not now

                Steps so far:
                  1. started with Profile.State( name: "Ada", taps: 0 )
                  2. sent Profile.Action.done
                """,
            ])
    }

    @Test func anActionThatReadsInputsWithoutAWorkflowFailsAndGoesOn() {
        let messages = failures {
            Profile.Action.tester(withState: .init(taps: 3))
                .send(action: .tapped).assert(state: .init(taps: 3))
        }
        #expect(
            messages == [
                #"""
                While Profile.Action.tapped is applied, the action reads \Profile.id of its workflow; \#
                give the test a workflow to read it from.

                Steps so far:
                  1. started with Profile.State( name: nil, taps: 3 )
                """#
            ])
    }

    @Test func missingInputsOfManyTypesHavePlaceholders() {
        let messages = failures {
            Inputs.Read.tester(withState: "")
                .send(action: .init()).assert(state: "nil 0.0 false [] [:]  []")
        }
        #expect(messages.count == 7)
    }
}

private struct Inputs: Workflow {
    var url: Profile?
    var ratio: Double
    var isOn: Bool
    var rows: [Profile]
    var names: [Int: String]
    var title: String
    var ids: Set<Int>

    struct Read: WorkflowAction {
        func apply(toState state: inout String, context: ApplyContext<Inputs>) -> Never? {
            state = """
                \(String(describing: context[workflowValue: \.url])) \(context[workflowValue: \.ratio]) \
                \(context[workflowValue: \.isOn]) \(context[workflowValue: \.rows]) \
                \(context[workflowValue: \.names]) \(context[workflowValue: \.title]) \
                \(context[workflowValue: \.ids])
                """
            return nil
        }
    }

    func makeInitialState() -> String { "" }
    func render(state: String, context: RenderContext<Inputs>) {}
}
