import Workflow

struct Door: Workflow {
    func makeInitialState() -> Bool { false }

    // A context belongs to its render, which no other task shares.
    func render(state: Bool, context: RenderContext<Door>) -> Bool {
        Task.detached { context.runSideEffect(key: "ring") { _ in } }  // error: risks causing data
        return state
    }
}
