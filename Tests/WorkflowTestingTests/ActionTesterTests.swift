import Testing
import Workflow
import WorkflowTesting

@Suite struct ActionTesterTests {
    @Test func actionsAdvanceTheStateAndGiveOutputs() {
        Profile.Action.tester(withState: .init(), workflow: Profile(id: 2))
            .send(action: .loaded("Ada"))
            .assertNoOutput()
            .send(action: .tapped)
            .assert(state: .init(name: "Ada", taps: 2))
            .verifyState { #expect($0.taps == 2) }
            .send(action: .done)
            .assert(output: "Ada")
            .verifyOutput { #expect($0.count == 3) }
    }

    @Test func anActionThatThrowsLeavesTheState() {
        Profile.Action.tester(withState: .init())
            .send(action: .refuse)
            .assertFailure("not now")
            .assert(state: .init())
    }

    @Test func whatDiffersFailsWithTheSteps() {
        #expect(
            failures {
                Profile.Action.tester(withState: .init(name: "Ada"))
                    .send(action: .done)
                    .assert(output: "Bob")
                    .assertNoOutput()
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
}
