import Workflow

// A context belongs to its render, which no other task shares.
func later<Root: Workflow>(_ context: RenderContext<Root>) {
    Task.detached { context.runSideEffect(key: "ring") { _ in } }  // error: risks causing data
}
