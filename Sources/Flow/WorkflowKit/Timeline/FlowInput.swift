public import PlainValue
public import Workflow
public import WorkflowLua

/// An input of a session. The behaviour of a flow depends only on its inputs and its seed.
public struct FlowInput: Sendable, Hashable {
    /// The time of the input, in milliseconds since 1970. The flow sees it in seconds as
    /// `context.now`.
    public var milliseconds: Int
    /// The kind of input.
    public var kind: Kind
    /// The name of the sender, given by the host; `nil` if unknown. The flow sees it as
    /// `context.principal`.
    public var principal: String?
    /// The workers that the flow was refused in the renders of this input.
    var refusals: [WorkerRefusal] = []

    /// The kinds of inputs.
    public enum Kind: Sendable, Hashable {
        /// An action for the node at a path.
        case action(Value, node: NodePath)
        /// An event of a worker.
        case worker(WorkerNews)
        /// New props for the root.
        case props(Value)
    }

    /// Makes an input from its parts.
    public init(_ kind: Kind, milliseconds: Int, by principal: String? = nil) {
        self.kind = kind
        self.milliseconds = milliseconds
        self.principal = principal
    }

    /// The type of the action, or the other kind of input in a word or two.
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

extension FlowInput.Kind {
    /// The kind alone, which takes a byte.
    enum Name: UInt8, CaseIterable {
        case action, worker, props
    }

    var name: Name {
        switch self {
        case .action: .action
        case .worker: .worker
        case .props: .props
        }
    }
}
