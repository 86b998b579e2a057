import PlainValue
import Testing
import Workflow
import WorkflowKit

/// The code of the README, line for line.
@Suite struct ReadmeSnippets {
    /// Compiled only, since the flow is the reader's own; that of `Examples/todo` is played in WorkflowKitTests.
    private func session() async throws {
        let session = try await FlowSession.open(.file("todo.lua")) { event in
            if case .output(let output) = event.kind { print(output) }
        }
        try await session.send(["type": "add", "text": "milk"])
        print(await session.rendering["title"] ?? .null)  // "0 of 1 done"
    }

    @Test func aCounterIsPlayed() {
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

        let host = WorkflowHost(workflow: Counter(step: 2))
        host.rendering.onTap()
        print(host.rendering.count)  // 2
        #expect(host.rendering.count == 2)
    }
}
