public import PlainValue
public import Workflow
public import WorkflowLua

/// Something that came into a session from outside: what a flow does follows from these and its seed alone.
public struct FlowInput: Sendable, Hashable {
    /// When it came, in milliseconds since 1970; what the flow sees as `context.now`, in seconds.
    public var milliseconds: Int
    /// What came.
    public var kind: Kind
    /// Who brought it, by the name that the host gives them; `nil` if that is not known. A flow does not see it.
    public var principal: String?

    /// What can come in.
    public enum Kind: Sendable, Hashable {
        /// An action for the node at a path.
        case action(Value, node: NodePath)
        /// What became of a worker.
        case worker(WorkerNews)
        /// New props for the root.
        case props(Value)
    }

    /// An input from its parts.
    public init(_ kind: Kind, milliseconds: Int, by principal: String? = nil) {
        self.kind = kind
        self.milliseconds = milliseconds
        self.principal = principal
    }

    /// The type of the action, or what else came, in a word or two.
    public var title: String {
        switch kind {
        case .action(let action, _): action["type"]?.string ?? action.string ?? "action"
        case .worker(let news):
            if case .failed = news.event {
                "\(news.worker) failed"
            } else {
                "\(news.worker) \(news.event)"
            }
        case .props: "new props"
        }
    }
}
