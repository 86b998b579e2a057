/// What an action may read while it is applied: the inputs of the node's workflow.
///
/// Good for the one call of `apply` that received it.
public struct ApplyContext<WorkflowType: Workflow> {
    @usableFromInline let node: Node<WorkflowType>

    @inlinable
    init(node: Node<WorkflowType>) { self.node = node }

    /// The value of the workflow's property at `keyPath`, as of the last render.
    @inlinable
    public subscript<Value>(workflowValue keyPath: KeyPath<WorkflowType, Value>) -> Value {
        node.workflow[keyPath: keyPath]
    }

    /// The whole workflow, as of the last render.
    @inlinable
    public var workflow: WorkflowType { node.workflow }

    /// The path of the node that the action is applied to, such as `app/row:3`.
    public var path: NodePath { node.path }
}
