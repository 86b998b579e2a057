import TestSupport
import Testing
import Workflow

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

/// The code of the article on the typed runtime, line for line.
@Suite struct TypedRuntimeSnippets {
    @Test func aCounterCounts() {
        let host = WorkflowHost(workflow: Counter(step: 2))
        host.rendering.onTap()
        print(host.rendering.count)  // 2
        #expect(host.rendering.count == 2)
    }
}
