import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// Causes of values that have changed.
extension OriginSearch {
    /// Adds the changes that a place depends on.
    ///
    /// - Parameter inner: The place in the tree whose root is `node`, which made the value.
    mutating func addCauses(
        of place: Place, at node: NodePath, _ inner: Place, level: Int
    ) throws(FlowError) {
        guard let before else { return try addFirstCauses(of: place, at: node, inner) }
        let found = try Counterfactuals(of: place, in: past, from: before, to: after)
        let old = try past.outcome(at: place, before) ?? nil
        let outer = (together, shared)
        (together, shared) = ([:], [:])
        defer { (together, shared) = outer }
        for case let (node?, change) in found.causes.map({ ($0.change.node, $0.change.change) }) {
            together[node, default: []].append(change.path)
        }
        var made: [(name: String, reads: Set<String>)] = []
        for cause in found.causes {
            let first = findings.count
            let change = cause.change
            try addLinks(
                from: node, inner, to: change.node, after.putting(cause.experiment.changes))
            add(
                .cause, subject(of: change),
                detail: how(cause, isAgain: cause.value == old, at: place.path))
            if let node = change.node {
                try addWrite(of: change.change.path, in: node, level: level)
            } else {
                addSender(ofStep: after.step)
            }
            let reads = findings[first...].filter { $0.kind == .read }.map(\.subject)
            made.append((subject(of: change), Set(reads)))
        }
        addShared(made)
        if found.causes.isEmpty {
            add(
                .note,
                "no single path of state or props that changed in step \(after.step) explains it")
        }
        addLimit(found.count)
    }

    /// Tells how a cause was found, and the value without it.
    private func how(_ cause: Counterfactuals.Cause, isAgain: Bool, at path: ValuePath) -> String {
        let value = cause.value.map { shown($0, at: path).originText } ?? "not there"
        guard case .putBack = cause.experiment else {
            return "with another value there: it is \(value)"
        }
        let others = cause.others.map(subject)
        let how =
            switch others.count {
            case 0: "put back alone"
            case 1...3: "only together with \(others.joined(separator: " and "))"
            default: "only together with \(others.count) more"
            }
        return "\(how): it is \(value)\(isAgain ? " again" : "")"
    }

    mutating func addLimit(_ count: Int) {
        guard count > Counterfactuals.most else { return }
        add(.note, "\(count) paths could matter; only the first \(Counterfactuals.most) were tried")
    }

    func subject(of cause: PastChange) -> String {
        let path = cause.change.path.description
        guard let node = cause.node else { return path.below("props") }
        return "\(path.below("state")) of \(node)"
    }

    /// Adds the props that passed a change down from an ancestor to a node.
    mutating func addLinks(
        from node: NodePath, _ inner: Place, to origin: NodePath?, _ back: FlowCheckpoint
    ) throws(FlowError) {
        var (node, inner) = (node, inner)
        let top = origin?.components.count ?? 1
        let isAbove = origin.map { node.components.starts(with: $0.components) } ?? true
        guard isAbove else { return }
        while node.components.count > top {
            let child = node.components.suffix(1)
            let changes = try mattering(at: node, inner, back)
            for change in changes { try addProps(change.path, of: node) }
            node = node.parent
            if let first = changes.first {
                inner = .props(NodePath([.init(name: node.name)] + child), first.path)
            } else {
                // The position of the node has changed, not the node.
                guard case .rendering = inner, let hop = hops.last(where: { $0.node == node })
                else { return }
                if findings.last?.kind == .placed { findings.removeLast() }
                add(.placed, "\(node)", at: hop.location)
                inner = .rendering(hop.rest(of: path))
            }
        }
    }

    /// The changes of a node's props without which, each alone, a place has another value; all
    /// changes if only their combination matters; none if the props have no effect.
    func mattering(
        at node: NodePath, _ inner: Place, _ back: FlowCheckpoint
    ) throws(FlowError) -> [ValueChange] {
        guard let subtree = after.subtree(at: node), let now = after.node(at: node)?.inputs,
            let then = try past.with(back, { flow.props(at: node, in: $0.host) })
        else { return [] }
        func outcome(_ props: Value) throws(FlowError) -> Value?? {
            let workflow = try past.with(after) {
                flow.workflow(at: node, in: $0.host, props: props)
            }
            guard let workflow else { return nil }
            return try past.outcome(at: inner, subtree, workflow: workflow)
        }
        let value = try outcome(now)
        if try outcome(then) == value { return [] }
        let changes = now.differences(to: then)
        var found: [ValueChange] = []
        for change in changes.prefix(Counterfactuals.most) {
            if let other = try outcome(now.putting(change)), other != value { found.append(change) }
        }
        return found.isEmpty ? changes : found
    }

    /// Adds a path of a node's props and the line of the parent that wrote it.
    mutating func addProps(_ path: ValuePath, of node: NodePath) throws(FlowError) {
        let tracer = WriteTracer(path, props: node)
        let location = try past.with(after, tracing: tracer.trace) { _ in
            tracer.lineOfProps.map(flow.start)
        }
        add(.cause, "\(path.description.below("props")) of \(node)", at: location)
    }
}
