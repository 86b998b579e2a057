public import PlainValue
public import Workflow

/// A node of a session's tree at one moment.
public struct FlowNode: Sendable, Hashable {
    /// A worker that a node declares.
    public struct Worker: Sendable, Hashable {
        /// The name of the worker, such as `http.get`.
        public var name: String
        /// Its key; empty if there is none.
        public var key: String
        /// What it was given.
        public var input: Value
        /// When it was started, in milliseconds since 1970; `nil` if it has not been yet.
        public var started: Int?
        /// Whether it has come to its end; it stays declared until a render leaves it out.
        public var hasEnded: Bool
        /// The step of the session at which it was declared.
        public var step = 0
        /// How often it has been started, from 1: again when its session was opened again while it was at work.
        public var attempt = 1
    }

    /// The path of the node.
    public var path: NodePath
    /// The name of its definition or type.
    public var name: String
    /// Its key; empty for the root and for children without one.
    public var key: String
    /// What its parent hands down; `null` for a native node that does not say.
    public var props: Value
    /// Its state; `null` for a stateless node, and a native one that does not say.
    public var state: Value
    /// The workers that it declares, in order.
    public var workers: [Worker]
    /// Its children, in order.
    public var children: [FlowNode]

    package init(
        path: NodePath, name: String, key: String, props: Value, state: Value, workers: [Worker],
        children: [FlowNode]
    ) {
        self.path = path
        self.name = name
        self.key = key
        self.props = props
        self.state = state
        self.workers = workers
        self.children = children
    }
}

extension FlowNode {
    /// All nodes from this one down, each before its children.
    public var all: [FlowNode] { [self] + children.flatMap(\.all) }
}
