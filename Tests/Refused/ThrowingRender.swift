import Workflow

// A render that cannot go on says so with `fail`, and its parent still gets a rendering.
struct Door: Workflow {  // error: does not conform to protocol 'Workflow'
    func render(state: Void, context: RenderContext<Door>) throws -> Bool {
        throw CancellationError()
    }
}
