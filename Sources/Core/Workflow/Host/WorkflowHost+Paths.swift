import PlainValue

extension WorkflowHost {
    /// Returns the sink for actions of a type to the node at `path`, or `nil` if there is no such
    /// node or its workflow has another type.
    ///
    /// It equals the sink that the node's own render gets. Paths come from ``RenderContext/path``
    /// and messages; the first component names the root.
    ///
    /// ```swift
    /// let red = host.sink(of: Counter.Action.self, at: "Scoreboard/Counter:red")
    /// red?.send(.increment)
    /// ```
    @inlinable
    public func sink<Action: WorkflowAction>(
        of type: Action.Type, at path: NodePath
    ) -> Sink<Action>? {
        (node(at: path) as? Node<Action.WorkflowType>).map { Sink(target: $0.target(of: type)) }
    }

    /// Returns the state of the node at `path`, or `nil` without one of this type of workflow.
    ///
    /// ```swift
    /// let red = host.state(of: Counter.self, at: "Scoreboard/Counter:red")  // 1
    /// ```
    public func state<W: Workflow>(of type: W.Type, at path: NodePath) -> W.State? {
        (node(at: path) as? Node<W>)?.state
    }

    /// True if the tree has a node at `path`.
    ///
    /// ```swift
    /// host.hasNode(at: "Scoreboard/Counter:green")  // false
    /// ```
    public func hasNode(at path: NodePath) -> Bool { node(at: path) != nil }

    @usableFromInline
    func node(at path: NodePath) -> AnyNode? {
        tree.mailbox.recordTouch()
        return root.descendant(at: path)
    }
}

extension AnyNode {
    fileprivate final func descendant(at path: NodePath) -> AnyNode? {
        guard let first = path.components.first, isNamed(first) else { return nil }
        var node: AnyNode = self
        for component in path.components.dropFirst() {
            guard let next = node.children.first(where: { $0.isNamed(component) }) else {
                return nil
            }
            node = next
        }
        return node
    }

    private final func isNamed(_ component: NodePath.Component) -> Bool {
        key.hasSameBytes(as: component.key) && name.hasSameBytes(as: component.name)
    }
}
