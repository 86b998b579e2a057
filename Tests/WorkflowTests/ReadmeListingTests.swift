import Testing
import Workflow

// The listing of the README, word for word.

private enum Readme {
    struct Counter: Workflow {
        var step: Int

        enum Action: WorkflowAction {
            typealias WorkflowType = Counter
            case increment

            func apply(toState state: inout Int, context: ApplyContext<Counter>) -> Never? {
                state += context[workflowValue: \.step]
                return nil
            }
        }

        struct Screen {
            var count: Int
            var onTap: () -> Void
        }

        func makeInitialState() -> Int { 0 }

        func render(state: Int, context: RenderContext<Counter>) -> Screen {
            Screen(count: state, onTap: context.makeEventHandler(action: Action.increment))
        }
    }
}

@Suite struct ReadmeListingTests {
    @Test func theCounterOfTheReadmeCounts() {
        let host = WorkflowHost(workflow: Readme.Counter(step: 2))
        host.rendering.onTap()
        #expect(host.rendering.count == 2)
    }
}
