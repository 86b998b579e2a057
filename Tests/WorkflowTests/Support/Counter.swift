import Workflow

struct Counter: Workflow, Equatable {
    var name = ""
    var start = 0

    struct Rendering {
        var count: Int
        var sink: Sink<Action>
    }

    enum Action: WorkflowAction, Equatable {
        case add(Int)
        case emit(String)
        case addAndEmit(Int, String)
        case addAndFail(Int, String)

        func apply(toState state: inout Int, context: ApplyContext<Counter>) throws -> String? {
            switch self {
            case .add(let amount):
                state += amount
                return nil
            case .emit(let text): return text
            case .addAndEmit(let amount, let text):
                state += amount
                return text
            case .addAndFail(let amount, let text):
                state += amount
                throw TestError(text)
            }
        }
    }

    typealias Output = String

    func makeInitialState() -> Int { start }

    func render(state: Int, context: RenderContext<Counter>) -> Rendering {
        Rendering(count: state, sink: context.makeSink(of: Action.self))
    }
}
