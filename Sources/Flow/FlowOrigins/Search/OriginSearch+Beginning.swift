import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// Causes of values that have not changed since the beginning.
extension OriginSearch {
    mutating func addFirstCauses(
        of place: Place, at node: NodePath, _ inner: Place
    ) throws(FlowError) {
        let found = try Counterfactuals(of: place, in: past, at: after)
        for cause in found.causes {
            let change = cause.change
            try addLinks(
                from: node, inner, to: change.node, after.putting(cause.experiment.changes))
            let others = cause.others.map(subject).joined(separator: " and ")
            add(
                .cause, subject(of: change),
                detail: "with another value there"
                    + (others.isEmpty ? "" : " and in \(others)") + " it is another")
            guard let node = change.node else {
                add(.sender, "props, as the session began")
                continue
            }
            try addInitialState(change.change.path, of: node)
        }
        if found.causes.isEmpty {
            add(
                .note,
                "no path of state or props is known to matter: it has been so from the beginning")
        }
        addLimit(found.count)
    }

    mutating func addInitialState(_ path: ValuePath, of node: NodePath) throws(FlowError) {
        // The root's state is made before anything is rendered, and so from no props of a parent.
        let isRoot = node.components.count == 1
        let tracer = WriteTracer(path, skipsRenders: isRoot)
        if let failure = try session.replayBeginning(tracer.trace).failure { throw failure }
        let end = tracer.ends.last { $0.phase == .state && $0.node == node }
        var location = end.map { flow.start(of: $0.writers[0].location ?? $0.location) }
        if end == nil, session.header?.snapshot == nil {
            location = try past.with(after) { (rehearsal) throws(FlowError) in
                try rehearsal.code.location(ofConstantStateAt: node, in: rehearsal.host)
            }
        }
        if let location { add(.write, "\(location)", at: location) }
        add(
            .call,
            session.header?.snapshot == nil
                ? "the first state of \(node)" : "the snapshot that the session began with")
    }
}
