import Workflow

/// A node whose render is a closure of the test; it renders in every pass that reaches it.
struct Inline<Rendering>: Workflow {
    let body: (Int, RenderContext<Inline>) -> Rendering

    init(_ body: @escaping (Int, RenderContext<Inline>) -> Rendering) { self.body = body }

    enum Action: WorkflowAction {
        case set(Int)
        case emit(String)
        case setAndEmit(Int, String)
        case fail(String)

        func apply(toState state: inout Int, context: ApplyContext<Inline>) throws -> String? {
            switch self {
            case .set(let value):
                state = value
                return nil
            case .emit(let text): return text
            case .setAndEmit(let value, let text):
                state = value
                return text
            case .fail(let text): throw TestError(text)
            }
        }
    }

    typealias Output = String

    var nodeName: String { "Inline" }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Inline>) -> Rendering { body(state, context) }
}
