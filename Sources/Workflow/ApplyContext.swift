/// What an action may read while it is applied: the inputs of the node's workflow.
///
/// Good for the one call of `apply` that received it.
public struct ApplyContext<WorkflowType: Workflow> {
    @usableFromInline
    enum Base {
        case node(Node<WorkflowType>)
        case alone(LoneContext<WorkflowType>)
    }

    @usableFromInline let base: Base

    @inlinable
    init(node: Node<WorkflowType>) { base = .node(node) }

    /// A context for applying an action by itself, in a test.
    ///
    /// - Parameters:
    ///   - workflow: What the action reads; an action that reads it although it is `nil` traps.
    ///   - path: The path that the action sees.
    public init(workflow: WorkflowType?, path: NodePath? = nil) {
        let name = workflow?.nodeName ?? typeName(of: WorkflowType.self)
        base = .alone(
            LoneContext(workflow: workflow, path: path ?? NodePath([.init(name: name)])))
    }

    /// The value of the workflow's property at `keyPath`, as of the last render.
    @inlinable
    public subscript<Value>(workflowValue keyPath: KeyPath<WorkflowType, Value>) -> Value {
        workflow[keyPath: keyPath]
    }

    /// The whole workflow, as of the last render.
    @inlinable
    public var workflow: WorkflowType {
        switch base {
        case .node(let node): node.workflow
        case .alone(let alone): alone.requireWorkflow()
        }
    }

    /// The path of the node that the action is applied to, such as `app/row:3`.
    public var path: NodePath {
        switch base {
        case .node(let node): node.path
        case .alone(let alone): alone.path
        }
    }

    var node: Node<WorkflowType>? {
        if case .node(let node) = base { node } else { nil }
    }
}

/// What stands in for a node where an action is applied by itself.
@usableFromInline
final class LoneContext<W: Workflow> {
    private let workflow: W?
    let path: NodePath

    init(workflow: W?, path: NodePath) {
        self.workflow = workflow
        self.path = path
    }

    @usableFromInline
    func requireWorkflow() -> W {
        guard let workflow else {
            fatalError(
                "the action reads its workflow's inputs; give the test a workflow to read them from"
            )
        }
        return workflow
    }
}
