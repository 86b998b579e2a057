import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

enum Place {
    case rendering(ValuePath)
    case props(NodePath, ValuePath)
    case state(NodePath, ValuePath)

    var path: ValuePath {
        switch self {
        case .rendering(let path), .props(_, let path), .state(_, let path): path
        }
    }
}

/// A session's past as it is seen from a step, for experiments in trees of their own.
struct Past {
    let session: any FlowPast
    let flow: LuaFlow
    /// The step from which is looked back.
    let step: Int
    /// The rendering then.
    let rendering: Value

    func value(at place: Place, in tree: WorkflowHost<LuaWorkflow>) -> Value? {
        switch place {
        case .rendering(let path): tree.rendering.value[path]
        case .props(let node, let path): flow.props(at: node, in: tree)?[path]
        case .state(let node, let path): tree.state(of: LuaWorkflow.self, at: node)?.value[path]
        }
    }

    /// Calls a function with a tree that is made from a checkpoint, and ended afterwards.
    func with<T>(
        _ checkpoint: FlowCheckpoint, workflow: LuaWorkflow? = nil,
        tracing trace: FlowTrace? = nil,
        _ body: (Rehearsal) throws(FlowError) -> T
    ) throws(FlowError) -> T {
        try session.rehearse(from: checkpoint, workflow: workflow, tracing: trace, body)
    }

    /// The states after some steps, in order.
    func checkpoints(at steps: [Int]) throws(FlowError) -> [FlowCheckpoint] {
        guard let first = steps.first else { return [] }
        return try session.rehearse(at: first) { (rehearsal) throws(FlowError) in
            try steps.map { (step) throws(FlowError) in
                while rehearsal.step < step { try rehearsal.advance() }
                assert(rehearsal.step == step, "the steps are not in order")
                return rehearsal.checkpoint
            }
        }
    }

    /// The value of a place in a tree made from a checkpoint; `nil` if the tree cannot be rendered.
    func outcome(
        at place: Place, _ checkpoint: FlowCheckpoint, workflow: LuaWorkflow? = nil
    ) throws(FlowError) -> Value?? {
        do throws(FlowError) {
            return try with(checkpoint, workflow: workflow) { value(at: place, in: $0.host) }
        } catch {
            guard error.code != .interrupted else { throw error }
            return nil
        }
    }

    /// The last step up to `last` that changed a value, and the fully rendered step before it;
    /// `nil` if the value has not changed since the beginning.
    func lastChange(
        through last: Int, _ value: (WorkflowHost<LuaWorkflow>) -> Value?
    ) throws(FlowError) -> (before: Int, step: Int)? {
        var upper = last
        while upper > 0 {
            let found = try session.rehearse(before: upper - 1) {
                (rehearsal) throws(FlowError) -> (first: Int, change: (before: Int, step: Int)?) in
                let first = rehearsal.step
                var (whole, previous) = (first, value(rehearsal.host))
                var change: (before: Int, step: Int)?
                while rehearsal.step < upper {
                    try rehearsal.advance()
                    let now = value(rehearsal.host)
                    if previous != now { change = (whole, rehearsal.step) }
                    if rehearsal.host.renderFailures.isEmpty { whole = rehearsal.step }
                    previous = now
                }
                return (first, change)
            }
            assert(found.first < upper)
            if let change = found.change { return change }
            upper = found.first
        }
        return nil
    }
}
