import PlainValue
import Workflow
import WorkflowLua

/// Finds where a value comes from; see ``ValueOrigin``.
struct OriginSearch {
    private typealias Finding = ValueOrigin.Finding
    private typealias Place = PastFlow.Place

    /// A node in whose rendering the value lies.
    private struct Hop {
        let node: NodePath
        /// The step of the path that leads on in its rendering.
        let step: Int
        /// The line that put the value, or the rendering of a child, there.
        let location: FlowError.Location

        func rest(of path: ValuePath) -> ValuePath {
            ValuePath(Array(path.components.dropFirst(step)))
        }
    }

    /// How many props that hang on other props are followed.
    private static let mostLevels = 8

    private let past: PastFlow
    private var player: FlowPlayer { past.player }
    private var flow: LuaFlow { past.flow }
    private let secrets: Set<String>
    private var findings: [Finding] = []
    /// The nodes in whose renderings the value lies, the root first.
    private var hops: [Hop] = []
    private var path = ValuePath()
    /// The states before the step, unless it is the beginning, and after it.
    private var before: Timeline.Checkpoint?
    private let after: Timeline.Checkpoint

    /// - Parameter value: What is looked at in a tree.
    private init(
        in past: PastFlow, secrets: Set<String>, _ value: (FlowTree) -> Value?
    ) throws(FlowError) {
        self.past = past
        self.secrets = secrets
        if let change = try past.lastChange(through: past.step, value) {
            let both = try past.checkpoints(at: [change.before, change.step])
            (before, after) = (both[0], both[1])
        } else {
            after = try past.checkpoints(at: [0])[0]
        }
    }

    /// Finds where the value at a path of the rendering comes from.
    ///
    /// - Throws: A `FlowError` if there is no such value, or what is played again is something else.
    static func origin(
        of path: ValuePath, in past: PastFlow, secrets: Set<String>
    ) throws(FlowError) -> ValueOrigin {
        guard let value = past.rendering[path] else {
            throw FlowError(
                .misuse, "there is no \(path) in the rendering",
                help: "take the path of a value that is shown, such as rows[1].text")
        }
        var search = try OriginSearch(in: past, secrets: secrets) { $0.host.rendering.value[path] }
        guard past.outcome(at: .rendering(path), search.after) == .some(value) else {
            throw FlowError(
                .misuse,
                "played again, step \(search.after.step) does not give what is shown at \(path), so its origin cannot be told",
                help:
                    "keep in the state what a flow shows; variables of its files are not played again"
            )
        }
        return try search.find(path, value)
    }

    /// Finds why a scripted node was rendered last.
    ///
    /// - Throws: A `FlowError` if there is no such node.
    static func origin(
        of node: NodePath, in past: PastFlow, secrets: Set<String>
    ) throws(FlowError) -> ValueOrigin {
        func look(_ tree: FlowTree) -> Value? {
            guard let props = past.flow.props(at: node, in: tree.host) else { return nil }
            return [props, past.value(at: .state(node, ValuePath()), in: tree) ?? .null]
        }
        let isThere =
            past.step == past.player.step
            ? past.player.tree.flatMap(look) != nil
            : try past.with(past.checkpoints(at: [past.step])[0], look) != nil
        guard isThere else {
            throw FlowError(
                .unknownNode, "there is no node '\(node)' in Lua in the tree",
                help: "take the path of a node of the tree, such as todo/item:2")
        }
        var search = try OriginSearch(in: past, secrets: secrets, look)
        try search.findRender(of: node)
        return ValueOrigin(
            path: node.description, value: nil, since: search.after.step, findings: search.findings)
    }

    private mutating func find(
        _ path: ValuePath, _ value: Value
    ) throws(FlowError) -> ValueOrigin {
        let tracer = WriteTracer(path)
        let root = flow.rootPath
        hops = try past.trace(tracer, after) { tree in hops(in: tracer, of: root, tree) }
        self.path = path
        guard let last = hops.last else {
            throw FlowError(.misuse, "the rendering is not made by a script")
        }
        add(.rendered, "\(last.node)", at: last.location)
        try addCauses(
            of: .rendering(path), at: last.node, .rendering(last.rest(of: path)), level: 0)
        return ValueOrigin(
            path: path.description, value: shown(value, at: path), since: after.step,
            findings: findings)
    }

    /// Adds what has changed for a node.
    private mutating func findRender(of node: NodePath) throws(FlowError) {
        let now = after.node(at: node)
        let parent = node.parent
        guard let before, let then = before.node(at: node) else {
            let tracer = WriteTracer(ValuePath(), props: node.description)
            let location = try past.trace(tracer, after) { _ in tracer.lineOfProps }
            add(.rendered, parent.components.isEmpty ? "\(node)" : "\(parent)", at: location)
            add(.note, "it was rendered for the first time then")
            addSender(ofStep: after.step)
            return
        }
        let (old, new) = (then.inputs ?? .null, now?.inputs ?? .null)
        for change in new.differences(to: old).prefix(Counterfactuals.most) {
            guard !parent.components.isEmpty else {
                add(.cause, change.path.description.below("props"))
                addSender(ofStep: after.step)
                continue
            }
            try addProps(change.path, of: node)
            let child = NodePath([.init(name: parent.name)] + node.components.suffix(1))
            try addCauses(
                of: .props(node, change.path), at: parent, .props(child, change.path), level: 0)
        }
        let state = (then.state?.value ?? .null, now?.state?.value ?? .null)
        for change in state.1.differences(to: state.0).prefix(Counterfactuals.most) {
            let cause = PastChange(node: node, change: change)
            add(.cause, subject(of: cause))
            try addWrite(of: change.path, in: node, level: 0)
        }
    }

    // MARK: The rendering

    /// The nodes in whose renderings the value lies, the root first, and the lines that put it there.
    private func hops(
        in tracer: WriteTracer, of root: NodePath, _ tree: FlowTree
    ) -> [Hop] {
        let ends = tracer.ends.filter { $0.phase == .render }
        var hops: [Hop] = []
        var path = root
        var step = 0
        while let end = ends.last(where: { $0.node == path.description }) {
            let writer = end.writers[step]
            hops.append(
                Hop(
                    node: path, step: step,
                    location: flow.start(of: writer.location ?? end.location)))
            guard let (view, next) = writer.child,
                let child = ends.lazy.compactMap({ NodePath($0.node) }).first(where: {
                    flow.renderingView(at: $0, in: tree.host) == view
                })
            else { break }
            (path, step) = (child, next)
        }
        return hops
    }

    // MARK: Causes

    /// Adds on what a place hangs.
    ///
    /// - Parameters:
    ///   - node: The node that made the value there.
    ///   - inner: The place in a tree of which that node is the root.
    private mutating func addCauses(
        of place: Place, at node: NodePath, _ inner: Place, level: Int
    ) throws(FlowError) {
        guard let before else { return try addFirstCauses(of: place, at: node, inner) }
        let found = Counterfactuals(of: place, in: past, from: before, to: after)
        for cause in found.causes {
            let back = after.putting(found.areTogether ? found.causes : [cause])
            try addLinks(from: node, inner, to: cause.node, back)
            let how =
                found.areTogether
                ? "only together with \(found.causes.count - 1) more" : "put back alone"
            let old = past.outcome(at: place, before) ?? nil
            add(
                .cause, subject(of: cause),
                detail:
                    "\(how): it is \(old.map { shown($0, at: place.path).originText } ?? "not there") again"
            )
            if let node = cause.node {
                try addWrite(of: cause.change.path, in: node, level: level)
            } else {
                addSender(ofStep: after.step)
            }
        }
        if found.causes.isEmpty {
            add(
                .note,
                "no single path of state or props that changed in step \(after.step) explains it")
        }
        addLimit(found.count)
    }

    private mutating func addLimit(_ count: Int) {
        guard count > Counterfactuals.most else { return }
        add(.note, "\(count) paths could matter; only the first \(Counterfactuals.most) were tried")
    }

    private func subject(of cause: PastChange) -> String {
        let path = cause.change.path.description
        guard let node = cause.node else { return path.below("props") }
        return "\(path.below("state")) of \(node)"
    }

    /// Adds the props that brought what has changed above down to a node.
    private mutating func addLinks(
        from node: NodePath, _ inner: Place, to origin: NodePath?, _ back: Timeline.Checkpoint
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
                // Not what the node is, but where it stands.
                guard case .rendering = inner, let hop = hops.last(where: { $0.node == node })
                else { return }
                if findings.last?.kind == .placed { findings.removeLast() }
                add(.placed, "\(node)", at: hop.location)
                inner = .rendering(hop.rest(of: path))
            }
        }
    }

    /// Those changes of a node's props that alone make what is seen in a place of it what it is when something above is
    /// put back; all of them, if none does alone, and none, if they do not matter.
    private func mattering(
        at node: NodePath, _ inner: Place, _ back: Timeline.Checkpoint
    ) throws(FlowError) -> [ValueChange] {
        guard let subtree = after.subtree(at: node), let now = after.node(at: node)?.inputs,
            let then = try past.with(back, { tree in flow.props(at: node, in: tree.host) })
        else { return [] }
        func outcome(_ props: Value) throws(FlowError) -> Value?? {
            let workflow = try past.with(after) { tree in
                flow.workflow(at: node, in: tree.host, props: props)
            }
            return workflow.flatMap { past.outcome(at: inner, subtree, workflow: $0) }
        }
        let old = try outcome(then)
        if try outcome(now) == old { return [] }
        let changes = now.differences(to: then)
        var found: [ValueChange] = []
        for change in changes.prefix(Counterfactuals.most)
        where try outcome(now.putting(change)) == old {
            found.append(change)
        }
        return found.isEmpty ? changes : found
    }

    /// Adds a path of a node's props, with the line of the parent that made it.
    private mutating func addProps(_ path: ValuePath, of node: NodePath) throws(FlowError) {
        let tracer = WriteTracer(path, props: node.description)
        let location = try past.trace(tracer, after) { _ in tracer.lineOfProps.map(flow.start) }
        add(.cause, "\(path.description.below("props")) of \(node)", at: location)
    }

    // MARK: Writes

    /// Adds the line that wrote a path of a state, and who sent the action.
    private mutating func addWrite(
        of path: ValuePath, in node: NodePath, level: Int
    ) throws(FlowError) {
        guard let before else { return }
        for number in stride(from: after.step, to: before.step, by: -1) {
            let tracer = WriteTracer(path, state: node.description) { [player] in
                player.rehearsal?.actions.count ?? 0
            }
            var actions: [AppliedAction] = []
            try player.retrace(number...number, tracer.trace) { step in
                actions = step.actions
                return true
            }
            guard let write = tracer.writes.last else { continue }
            let location = flow.start(of: write.location)
            add(.write, "\(location)", at: location)
            let call = "\(write.phase) of \(node)"
            if case .apply = write.phase, let action = write.action {
                add(.call, call, detail: shown(actions[action].action).actionText)
                addSenders(of: action, among: actions, tracer, step: number)
            } else {
                add(.call, call)
                if write.phase == .changed { try addPropsBehind(path, of: node, level: level) }
            }
            return
        }
        let isScripted = try past.with(after) { tree in
            flow.props(at: node, in: tree.host) != nil
        }
        add(
            .note,
            isScripted
                ? "the line that wrote it was not found"
                : "\(node) is a native workflow, which wrote it")
        addSender(ofStep: after.step)
    }

    /// Adds who sent an action, through all nodes whose outputs led to it.
    private mutating func addSenders(
        of action: Int, among actions: [AppliedAction], _ tracer: WriteTracer, step: Int
    ) {
        var index = action
        while actions[index].source.hasPrefix("child:") {
            let child = String(actions[index].source.dropFirst("child:".count))
            let end = tracer.ends.last { $0.node == child && ($0.action ?? index) < index }
            add(.sender, "output of \(child)", at: (end?.location).map(flow.start))
            guard let sender = actions[..<index].lastIndex(where: { $0.node.description == child })
            else { return addSender(ofStep: step) }
            index = sender
        }
        addSender(ofStep: step)
    }

    /// Adds what came in from outside.
    private mutating func addSender(ofStep step: Int) {
        guard step > 0 else { return }
        let input = player.timeline.inputs[step - 1]
        switch input.kind {
        case .action(let action, let node):
            add(.sender, shown(action).actionText, detail: "to \(node)", at: input)
        case .props: add(.sender, "new props", at: input)
        case .worker(var news):
            if case .output(let output) = news.event { news.event = .output(shown(output)) }
            add(.sender, "worker \(news.stepText)", detail: "in \(news.node)", at: input)
        }
    }

    /// Adds the props for which `changed` wrote a path of a state, and on what these hang.
    private mutating func addPropsBehind(
        _ path: ValuePath, of node: NodePath, level: Int
    ) throws(FlowError) {
        guard let before, let old = before.node(at: node)?.inputs,
            let new = after.node(at: node)?.inputs, let subtree = before.subtree(at: node),
            level < Self.mostLevels
        else { return }
        let here = Place.state(NodePath([.init(name: node.name)]), path)
        let was = before.node(at: node)?.state?.value[path]
        for change in new.differences(to: old).prefix(Counterfactuals.most) {
            let (first, next) = try past.with(before) { tree in
                (
                    flow.workflow(at: node, in: tree.host, props: old),
                    flow.workflow(at: node, in: tree.host, props: new.putting(change))
                )
            }
            guard let first, let next else { return }
            let then = try past.with(subtree, workflow: first) { tree in
                tree.host.update(workflow: next)
                return past.value(at: here, in: tree)
            }
            guard then == was else { continue }
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

    // MARK: The beginning

    /// Adds on what a place has hung from the beginning.
    private mutating func addFirstCauses(
        of place: Place, at node: NodePath, _ inner: Place
    ) throws(FlowError) {
        let found = Counterfactuals(of: place, in: past, at: after)
        for cause in found.causes {
            try addLinks(from: node, inner, to: cause.node, after.putting([cause]))
            add(.cause, subject(of: cause), detail: "with another value there it is another")
            guard let node = cause.node else {
                add(.sender, "props, as the session began")
                continue
            }
            try addInitialState(cause.change.path, of: node)
        }
        if found.causes.isEmpty {
            add(
                .note,
                "no path of state or props is known to matter: it has been so from the beginning")
        }
        addLimit(found.count)
    }

    private mutating func addInitialState(
        _ path: ValuePath, of node: NodePath
    ) throws(FlowError) {
        let tracer = WriteTracer(path)
        try player.retrace(0...0, tracer.trace) { _ in true }
        let end = tracer.ends.last { $0.phase == .state && $0.node == node.description }
        var location = end.map { flow.start(of: $0.writers[0].location ?? $0.location) }
        if end == nil, player.origin?.tree == nil {
            location = try past.with(after) { tree in
                flow.location(ofField: "state", at: node, in: tree.host)
            }
        }
        if let location { add(.write, "\(location)", at: location) }
        add(
            .call,
            player.origin?.tree == nil
                ? "the first state of \(node)" : "the snapshot that the session began with")
    }

    // MARK: Findings

    private mutating func add(
        _ kind: Finding.Kind, _ subject: String, detail: String = "", at input: FlowInput
    ) {
        findings.append(
            Finding(kind, subject, detail: detail, milliseconds: input.milliseconds))
    }

    private mutating func add(
        _ kind: Finding.Kind, _ subject: String, at location: FlowError.Location? = nil,
        detail: String = ""
    ) {
        let source = detail.isEmpty ? location.flatMap { flow.source(at: $0) } ?? "" : detail
        findings.append(Finding(kind, subject, at: location, detail: source))
    }

    /// A value without what is secret.
    private func shown(_ value: Value, at path: ValuePath = ValuePath()) -> Value {
        let isSecret = path.components.contains { component in
            if case .key(let key) = component { secrets.contains(key) } else { false }
        }
        return isSecret ? "[secret]" : value.redacting(secrets)
    }
}

extension NodePath {
    fileprivate var name: String { components.last?.name ?? "" }
}

extension String {
    /// The path of a value as that of a field of another one.
    fileprivate func below(_ name: String) -> String {
        isEmpty ? name : first == "[" ? name + self : "\(name).\(self)"
    }
}
