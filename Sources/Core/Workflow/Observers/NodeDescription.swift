/// A description of a node and its descendants at one moment, for logs, tools and bug reports.
///
/// Values are text, as `String(describing:)` writes them. A ``TreeSnapshot`` can be continued.
public struct NodeDescription: Codable, Hashable, Sendable {
    /// The number of the node within its host; see ``NodeIdentity/id``.
    public var id: Int
    /// The name of the node's type.
    public var name: String
    /// The key under which its parent renders it.
    public var key: String
    /// The workflow: the node's inputs.
    public var inputs: String
    /// The node's state.
    public var state: String
    /// The keys of the running side effects, in order of declaration.
    public var sideEffects: [String]
    /// The children, in the order in which they were last rendered.
    public var children: [NodeDescription]
}

extension WorkflowHost {
    /// Describes the tree as it is now.
    ///
    /// ```swift
    /// host.describeTree().children.map(\.key)  // ["red", "blue"]
    /// ```
    ///
    /// - Note: Nodes that are too deep for the stack of the thread are left out, which is reported
    ///   as ``WorkflowReport/tooDeepToDescribe(_:depth:)``.
    public func describeTree() -> NodeDescription {
        touch()
        var isComplete = true
        return root.describe(within: StackShare(), isComplete: &isComplete)
    }
}

extension AnyNode {
    fileprivate final func describe(
        within stack: StackShare, isComplete: inout Bool
    ) -> NodeDescription {
        let (inputs, state) = describeValues()
        var made = NodeDescription(
            id: number, name: name, key: key, inputs: inputs, state: state,
            sideEffects: effects?.runningKeys ?? [], children: [])
        if !stack.isUsedUp {
            made.children = children.map { $0.describe(within: stack, isComplete: &isComplete) }
        } else if !children.isEmpty, isComplete {
            isComplete = false
            tree.report(.tooDeepToDescribe(path.ending, depth: Int(depth)))
        }
        return made
    }
}
