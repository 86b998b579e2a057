public import PlainValue
public import Workflow

/// A node of a session's tree at one moment.
///
/// ```swift
/// for node in await session.nodes()?.all ?? [] {
///     print(node.path, node.props, node.state)
///     for worker in node.workers where !worker.hasEnded { print("  runs", worker.name) }
/// }
/// ```
public struct FlowNode: Sendable, Hashable {
    /// A worker that a node declares.
    public struct Worker: Sendable, Hashable {
        /// The name of the worker, such as `http.get`.
        public var name: String
        /// Its key; empty if there is none.
        public var key: String
        /// The input of the worker.
        public var input: Value
        /// The time of its start, in milliseconds since 1970; `nil` if it has not started yet.
        public var started: Int?
        /// True if the worker has ended. It stays declared until a render leaves it out.
        public var hasEnded: Bool
        /// The step of the session at which it was declared.
        public var step = 0
        /// The number of its attempt, from 1: it starts again when its session is reopened.
        public var attempt = 1
        /// The time for which its session was closed since its start, in milliseconds.
        public var paused = 0
        /// The outputs that the flow refused, oldest first; see ``FlowSession/retry(_:)``.
        public var refused: [RefusedOutput] = []
    }

    /// The path of the node.
    public var path: NodePath
    /// The name of its definition or type.
    public var name: String
    /// Its key; empty for the root and for children without one.
    public var key: String
    /// The props from its parent; `null` for a native node that does not provide them.
    public var props: Value
    /// Its state; `null` for a stateless node, and a native one that does not provide it.
    public var state: Value
    /// The workers that it declares, in order.
    public var workers: [Worker]
    /// Its children, in order.
    public var children: [FlowNode]
}

extension FlowNode {
    /// The node and its descendants, each before its children.
    public var all: [FlowNode] { [self] + children.flatMap(\.all) }
}
