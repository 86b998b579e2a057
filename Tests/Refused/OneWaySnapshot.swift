import Workflow

// A state that is saved can be restored.
struct Door: SnapshottingWorkflow {  // error: does not conform to protocol 'SnapshottingWorkflow'
    func makeInitialState() -> Bool { false }
    func render(state: Bool, context: RenderContext<Door>) -> Bool { state }
    func snapshot(of state: Bool) -> StateSnapshot? { StateSnapshot(.bool(state)) }
}
