import Workflow

struct Light: Workflow {
    func render(state: Void, context: RenderContext<Light>) {}
}

// An action says how it changes the state.
enum Action: WorkflowAction {  // error: does not conform to protocol 'WorkflowAction'
    typealias WorkflowType = Light
    case toggle
}
