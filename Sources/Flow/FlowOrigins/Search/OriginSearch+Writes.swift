import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// The lines that wrote a value's causes, and the senders of their actions.
extension OriginSearch {
    /// Adds the line that wrote a path of a state, and the sender of its action.
    mutating func addWrite(of path: ValuePath, in node: NodePath, level: Int) throws(FlowError) {
        guard let before else { return }
        assert(before.step < after.step)
        for number in stride(from: after.step, to: before.step, by: -1) {
            let (tracer, played, code) = try session.rehearse(at: number - 1) {
                (rehearsal) throws(FlowError) in
                let tracer = WriteTracer(path, state: node) {
                    [unowned rehearsal] in rehearsal.actionCount
                }
                // What it is played by, not what goes on from there.
                let code = try rehearsal.code
                return (tracer, try rehearsal.advance(tracing: tracer.trace), code)
            }
            let actions = played.actions
            if let failure = played.failure, failure.code == .interrupted { throw failure }
            guard let write = tracer.writes.last else { continue }
            let location = code.start(of: write.location)
            self.code = code
            add(.write, "\(location)", at: location)
            let call = "\(write.phase) of \(node)"
            if case .apply = write.phase, let action = write.action {
                add(.call, call, detail: shown(actions[action].action).actionText)
                addSenders(of: action, among: actions, tracer, step: number)
            } else {
                add(.call, call)
                if write.phase == .changed { try addPropsBehind(path, of: node, level: level) }
            }
            return try addReads(ofWriteOf: path, in: node, step: number)
        }
        if try addWrites(within: path, in: node, level: level) { return }
        let isScripted = try past.with(after) {
            flow.props(at: node, in: $0.host) != nil
        }
        add(
            .note,
            isScripted
                ? "the line that wrote it was not found"
                : "\(node) is a native workflow, which wrote it")
        addSender(ofStep: after.step)
    }

    /// Adds the lines that wrote parts of a list or record, which stayed the same table.
    private mutating func addWrites(
        within path: ValuePath, in node: NodePath, level: Int
    ) throws(FlowError) -> Bool {
        let old = before?.node(at: node)?.state?.value[path] ?? .null
        let new = after.node(at: node)?.state?.value[path] ?? .null
        let changes = new.differences(to: old).prefix(Self.mostParts).filter { !$0.path.isEmpty }
        for change in changes {
            try addWrite(of: path.appending(change.path), in: node, level: level)
        }
        return !changes.isEmpty
    }

    /// Adds the senders of an action, including the nodes whose outputs caused it.
    mutating func addSenders(
        of action: Int, among actions: [AppliedAction], _ tracer: WriteTracer, step: Int
    ) {
        assert(actions.indices.contains(action))
        var index = action
        while actions[index].source.hasPrefix("child:") {
            let child = String(actions[index].source.dropFirst("child:".count))
            let end = tracer.ends.last { "\($0.node)" == child && ($0.action ?? index) < index }
            add(.sender, "output of \(child)", at: (end?.location).map(code.start))
            guard let sender = actions[..<index].lastIndex(where: { $0.node.description == child })
            else { return addSender(ofStep: step) }
            index = sender
        }
        addSender(ofStep: step)
    }

    mutating func addSender(ofStep step: Int) {
        guard step > 0 else { return }
        let input = session.input(step)
        switch input.kind {
        case .action(let action, let node):
            add(.sender, shown(action).actionText, detail: "to \(node)", at: input)
        case .props: add(.sender, "new props", at: input)
        case .worker(var news):
            if case .output(let output) = news.event { news.event = .output(shown(output)) }
            add(.sender, "worker \(news.stepText)", detail: "in \(news.node)", at: input)
        }
    }

    /// Adds the props whose change made `changed` write a path of a state, and their causes.
    mutating func addPropsBehind(
        _ path: ValuePath, of node: NodePath, level: Int
    ) throws(FlowError) {
        guard let before, let old = before.node(at: node)?.inputs,
            let new = after.node(at: node)?.inputs, let subtree = before.subtree(at: node),
            level < Self.mostLevels
        else { return }
        let here = Place.state(NodePath([.init(name: node.name)]), path)
        let value = after.node(at: node)?.state?.value[path]
        for change in new.differences(to: old).prefix(Counterfactuals.most) {
            let (first, next) = try past.with(before) {
                (
                    flow.workflow(at: node, in: $0.host, props: old),
                    flow.workflow(at: node, in: $0.host, props: new.putting(change))
                )
            }
            guard let first, let next else { return }
            let other = try past.with(subtree, workflow: first) { rehearsal in
                // A failure leaves what was there.
                try? rehearsal.update(next)
                return past.value(at: here, in: rehearsal.host)
            }
            guard other != value else { continue }
            try addProps(change.path, of: node)
            guard node.components.count > 1 else {
                addSender(ofStep: after.step)
                continue
            }
            let child = NodePath([.init(name: node.parent.name)] + node.components.suffix(1))
            try addCauses(
                of: .props(node, change.path), at: node.parent, .props(child, change.path),
                level: level + 1)
        }
    }
}
