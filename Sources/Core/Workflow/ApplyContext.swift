/// The context in which an action is applied: gives access to the inputs of the node's workflow.
///
/// ```swift
/// func apply(toState state: inout Int, context: ApplyContext<Counter>) -> Never? {
///     state += context[workflowValue: \.step]
///     return nil
/// }
/// ```
///
/// - Important: Valid only during its call of `apply`. A later read returns the inputs of then, and
///   is reported.
public struct ApplyContext<WorkflowType: Workflow> {
    @usableFromInline
    enum Base {
        /// A node, and the number of the application that the context is good for.
        case node(Node<WorkflowType>, Int)
        case alone(LoneContext<WorkflowType>)
    }

    @usableFromInline let base: Base

    @inlinable
    init(node: Node<WorkflowType>) { base = .node(node, node.application) }

    /// Makes a context for applying an action alone, in a test.
    ///
    /// ```swift
    /// var count = 1
    /// let context = ApplyContext(workflow: Counter(step: 2))
    /// _ = Counter.Action.increment.apply(toState: &count, context: context)  // count is 3
    /// ```
    ///
    /// - Precondition: An action that reads inputs needs `workflow`; without one, reading traps.
    /// - Parameter path: The path that the action sees.
    public init(workflow: WorkflowType?, path: NodePath? = nil) {
        self.init(workflow: workflow, path: path, placeholder: { _, _ in nil })
    }

    /// A context for a tester, whose `placeholder` may stand in for a missing input. It gets the
    /// type of the value and a sentence that says what is missing.
    package init(
        workflow: WorkflowType?, path: NodePath? = nil,
        placeholder: @escaping (any Any.Type, String) -> Any?
    ) {
        let name = workflow?.nodeName ?? typeName(of: WorkflowType.self)
        base = .alone(
            LoneContext(
                workflow: workflow, path: path ?? NodePath([.init(name: name)]),
                placeholder: placeholder))
    }

    /// The value of the workflow's property at `keyPath`, as of the last render.
    ///
    /// ```swift
    /// let teams = context[workflowValue: \.teams.count]
    /// ```
    @inlinable
    public subscript<Value>(workflowValue keyPath: KeyPath<WorkflowType, Value>) -> Value {
        switch base {
        case .node(let node, let application):
            node.isApplying(application)
                ? node.workflow[keyPath: keyPath] : node.readLate()[keyPath: keyPath]
        case .alone(let alone): alone.value(at: keyPath)
        }
    }

    /// The whole workflow, as of the last render.
    @inlinable
    public var workflow: WorkflowType { self[workflowValue: \.self] }

    /// The path of the node that the action is applied to, such as `app/row:3`.
    public var path: NodePath {
        switch base {
        case .node(let node, _): node.path
        case .alone(let alone): alone.path
        }
    }

    var node: Node<WorkflowType>? {
        if case .node(let node, _) = base { node } else { nil }
    }
}

extension AnyNode {
    @inlinable
    final func isApplying(_ application: Int) -> Bool { self.application == application }
}

extension Node {
    @usableFromInline
    func readLate() -> W {
        tree.report(.contextUsedAfterApply(path))
        return workflow
    }
}

/// Stands in for a node where a test applies an action alone.
@usableFromInline
final class LoneContext<W: Workflow> {
    private let workflow: W?
    let path: NodePath
    private let placeholder: (any Any.Type, String) -> Any?

    init(
        workflow: W?, path: NodePath, placeholder: @escaping (any Any.Type, String) -> Any?
    ) {
        self.workflow = workflow
        self.path = path
        self.placeholder = placeholder
    }

    @usableFromInline
    func value<Value>(at keyPath: KeyPath<W, Value>) -> Value {
        if let workflow { return workflow[keyPath: keyPath] }
        let message = """
            the action reads \(keyPath) of its workflow; give the test a workflow to read it from
            """
        guard let value = placeholder(Value.self, message) as? Value else { fatalError(message) }
        return value
    }
}
