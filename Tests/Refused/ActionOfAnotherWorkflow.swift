import Workflow

struct Light: Workflow {
    func makeInitialState() -> Bool { false }

    // An action changes the state of its own workflow alone.
    func render(state: Bool, context: RenderContext<Light>) -> Sink<Door.Action> {
        context.makeSink(of: Door.Action.self)  // error: requires the types 'Light' and
    }
}

struct Door: Workflow {
    enum Action: WorkflowAction {
        typealias WorkflowType = Door
        case open

        func apply(toState state: inout Bool, context: ApplyContext<Door>) -> Never? { nil }
    }

    func makeInitialState() -> Bool { false }
    func render(state: Bool, context: RenderContext<Door>) -> Bool { state }
}
