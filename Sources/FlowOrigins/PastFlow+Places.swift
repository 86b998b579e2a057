import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension PastFlow {
    /// A place that holds a value.
    enum Place {
        case rendering(ValuePath)
        case props(NodePath, ValuePath)
        case state(NodePath, ValuePath)

        /// The path of the value there.
        var path: ValuePath {
            switch self {
            case .rendering(let path), .props(_, let path), .state(_, let path): path
            }
        }
    }

    /// The value of a place in a tree; `nil` if there is none.
    func value(at place: Place, in tree: FlowTree) -> Value? {
        switch place {
        case .rendering(let path): tree.host.rendering.value[path]
        case .props(let node, let path): flow.props(at: node, in: tree.host)?[path]
        case .state(let node, let path):
            tree.host.state(of: LuaWorkflow.self, at: node)?.value[path]
        }
    }

    /// The value of a place in a tree made from a checkpoint; `nil` if the tree cannot be rendered.
    ///
    /// - Throws: A `FlowError` for an interruption.
    func outcome(
        at place: Place, _ checkpoint: Timeline.Checkpoint, workflow: LuaWorkflow? = nil
    ) throws(FlowError) -> Value?? {
        do throws(FlowError) {
            return try with(checkpoint, workflow: workflow) { tree throws(FlowError) -> Value? in
                value(at: place, in: tree)
            }
        } catch {
            guard error.code != .interrupted else { throw error }
            return nil
        }
    }

    /// Traces the lines that run while a tree is made from a checkpoint.
    ///
    /// - Returns: The result of `body` for the tree.
    func trace<T>(
        _ tracer: WriteTracer, _ checkpoint: Timeline.Checkpoint,
        _ body: (FlowTree) throws(FlowError) -> T
    ) throws(FlowError) -> T {
        try flow.setTrace(tracer.trace)
        defer { try? flow.setTrace(nil) }
        return try with(checkpoint, body)
    }

    /// The last step up to `last` that changed a value, and the fully rendered step before it; `nil` if the value has
    /// not changed since the beginning.
    func lastChange(
        through last: Int, _ value: (FlowTree) -> Value?
    ) throws(FlowError) -> (before: Int, step: Int)? {
        var upper = last
        while upper > 0 {
            var previous: Value??
            var first = 0
            var whole = 0
            var found: (before: Int, step: Int)?
            try play(from: upper - 1, through: upper) { tree in
                let now = value(tree)
                if let previous {
                    if previous != now { found = (whole, tree.step) }
                } else {
                    first = tree.step
                }
                if previous == nil || tree.isWhole { whole = tree.step }
                previous = .some(now)
            }
            if let found { return found }
            upper = first
        }
        return nil
    }
}
