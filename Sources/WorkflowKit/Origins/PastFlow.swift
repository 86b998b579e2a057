import PlainValue
import Workflow
import WorkflowLua

/// A flow as it was, for experiments of which nobody is told: trees are made from states of the timeline, and from such
/// with something put back.
struct PastFlow {
    /// Where a value is looked for.
    enum Place {
        case rendering(ValuePath)
        case props(NodePath, ValuePath)
        case state(NodePath, ValuePath)

        /// Where in that the value stands.
        var path: ValuePath {
            switch self {
            case .rendering(let path), .props(_, let path), .state(_, let path): path
            }
        }
    }

    let player: FlowPlayer
    let flow: LuaFlow
    /// The step from which is looked back.
    let step: Int
    /// What is shown then.
    let rendering: Value

    /// What a place holds in a tree; `nil` if there is no such place.
    func value(at place: Place, in tree: FlowTree) -> Value? {
        switch place {
        case .rendering(let path): tree.host.rendering.value[path]
        case .props(let node, let path): flow.props(at: node, in: tree.host)?[path]
        case .state(let node, let path):
            tree.host.state(of: LuaWorkflow.self, at: node)?.value[path]
        }
    }

    /// Does something with a tree that is made from a checkpoint; it is ended afterwards.
    func with<T>(
        _ checkpoint: Timeline.Checkpoint, workflow: LuaWorkflow? = nil,
        _ body: (FlowTree) throws(FlowError) -> T
    ) throws(FlowError) -> T {
        let tree = try player.makeTree(of: flow, from: checkpoint, workflow: workflow)
        defer { tree.host.shutDown() }
        return try body(tree)
    }

    /// What a place holds in a tree that is made from a checkpoint; `nil` if it cannot be rendered.
    func outcome(
        at place: Place, _ checkpoint: Timeline.Checkpoint, workflow: LuaWorkflow? = nil
    ) -> Value?? {
        try? with(checkpoint, workflow: workflow) { tree throws(FlowError) -> Value? in
            value(at: place, in: tree)
        }
    }

    /// The lines that are run while a tree is made from a checkpoint.
    ///
    /// - Returns: What `body` makes of the tree.
    func trace<T>(
        _ tracer: WriteTracer, _ checkpoint: Timeline.Checkpoint,
        _ body: (FlowTree) throws(FlowError) -> T
    ) throws(FlowError) -> T {
        try flow.setTrace(tracer.trace)
        defer { try? flow.setTrace(nil) }
        return try with(checkpoint, body)
    }

    // MARK: Steps

    /// Plays the steps up to one, from the checkpoint before `first` on.
    ///
    /// - Parameter onStep: Called with the tree at the checkpoint and after each step.
    func play(
        from first: Int, through last: Int, _ onStep: (FlowTree) throws(FlowError) -> Void
    ) throws(FlowError) {
        guard let checkpoint = player.timeline.checkpoint(before: first) else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        try with(checkpoint) { tree throws(FlowError) in
            try onStep(tree)
            for input in player.timeline.inputs[checkpoint.step..<last] {
                if let failure = player.playBack(input, in: tree), failure.code == .interrupted {
                    throw failure
                }
                try onStep(tree)
            }
        }
    }

    /// The last step, up to one, at which something became what it is then, and the step before it that was rendered in
    /// full; `nil` if it has been so from the beginning.
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

    /// The states after some steps, in order.
    func checkpoints(at steps: [Int]) throws(FlowError) -> [Timeline.Checkpoint] {
        var made: [Timeline.Checkpoint] = []
        guard let first = steps.first, let last = steps.last else { return [] }
        try play(from: first, through: last) { tree in
            if steps.contains(tree.step) { made.append(player.checkpoint(of: tree, flow)) }
        }
        return made
    }
}

extension FlowPlayer {
    /// Looks into what was, from a step on, by default the one that is shown; that stays as it is, and nobody is told.
    func lookBack<T>(
        from step: Int? = nil, _ body: (PastFlow) throws(FlowError) -> T
    ) throws(FlowError) -> T {
        guard options.keepsTimeline else {
            throw FlowError(.misuse, "this session keeps no timeline")
        }
        settle()
        let step = step ?? self.step
        let rendering = try rendering(at: step)
        guard let flow, tree != nil else { throw .closed }
        var result: T?
        try aside(flow) { () throws(FlowError) in
            result = try body(
                PastFlow(player: self, flow: flow, step: step, rendering: rendering))
        }
        guard let result else { throw .closed }
        return result
    }
}

extension Timeline.Checkpoint {
    /// The node at a path; `nil` if there is none.
    func node(at path: NodePath) -> TreeSnapshot.Node? {
        guard let tree, let first = path.components.first, first.name == tree.root.name else {
            return nil
        }
        var node = tree.root
        for component in path.components.dropFirst() {
            guard
                let next = node.children.first(where: {
                    $0.name == component.name && $0.key == component.key
                })
            else { return nil }
            node = next
        }
        return node
    }

    /// The node at a path as the root of a tree of its own.
    func subtree(at path: NodePath) -> Timeline.Checkpoint? {
        guard var node = node(at: path) else { return nil }
        node.key = ""
        return Timeline.Checkpoint(
            step: step, tree: TreeSnapshot(root: node), random: random,
            props: node.inputs ?? .null, ended: [])
    }

    /// The same with something put back.
    func putting(_ changes: [PastChange]) -> Timeline.Checkpoint {
        var root = tree?.root
        var props = props
        for change in changes {
            guard let node = change.node else {
                props = props.putting(change.change)
                continue
            }
            root?.change(node.components.dropFirst()) { node in
                let value = node.state?.value ?? .null
                node.state?.value = value.putting(change.change)
            }
        }
        return Timeline.Checkpoint(
            step: step, tree: root.map { TreeSnapshot(root: $0) }, random: random, props: props,
            ended: ended)
    }
}

/// Something that is other than it was, and what puts it back.
struct PastChange: Hashable {
    /// The node whose state it is in; `nil`: it is in the props of the root.
    let node: NodePath?
    let change: ValueChange
}

extension TreeSnapshot.Node {
    fileprivate mutating func change(
        _ path: ArraySlice<NodePath.Component>, _ body: (inout TreeSnapshot.Node) -> Void
    ) {
        guard let first = path.first else { return body(&self) }
        guard
            let index = children.firstIndex(where: {
                $0.name == first.name && $0.key == first.key
            })
        else { return }
        children[index].change(path.dropFirst(), body)
    }

    /// The nodes from this one down, with their paths.
    func all(at path: NodePath) -> [(path: NodePath, node: TreeSnapshot.Node)] {
        [(path, self)]
            + children.flatMap { child in
                child.all(
                    at: NodePath(path.components + [.init(name: child.name, key: child.key)]))
            }
    }
}

extension Value {
    /// The value with one of several changes made to it, even if the others before it are not.
    func putting(_ change: ValueChange) -> Value {
        if let changed = try? applying([change]) { return changed }
        var value = self
        let components = change.path.components
        let parent = ValuePath(Array(components.dropLast()))
        guard case .added(let new) = change.kind, case .list(var list)? = value[parent] else {
            return value
        }
        if case .key(let key)? = components.last {
            // What is empty is a record too.
            if list.isEmpty { value[parent] = .record([key: new]) }
        } else {
            list.append(new)
            value[parent] = .list(list)
        }
        return value
    }
}
