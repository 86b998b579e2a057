public import PlainValue
public import Workflow
public import WorkflowLua

/// An input of a session. The behaviour of a flow depends only on its inputs and its seed.
public struct FlowInput: Sendable, Hashable {
    /// The time of the input in milliseconds since 1970; in seconds, the flow's `context.now`.
    public var milliseconds: Int
    /// The kind of input.
    public var kind: Kind
    /// The name of the sender, as the host gives it; `nil` if unknown. The flow sees it as
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
    ///
    /// - Parameters:
    ///   - kind: An action, an event of a worker, or props.
    ///   - milliseconds: The time since 1970.
    ///   - principal: The name of the sender; `nil` if unknown.
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

    /// The value that it brings: an action, an output or props; `null` for other events of workers.
    package var value: Value {
        get {
            switch kind {
            case .action(let action, _): return action
            case .props(let props): return props
            case .worker(let news):
                if case .output(let output) = news.event { return output }
                return .null
            }
        }
        set {
            switch kind {
            case .action(_, let node): kind = .action(newValue, node: node)
            case .props: kind = .props(newValue)
            case .worker(var news):
                guard case .output = news.event else { return }
                news.event = .output(newValue)
                kind = .worker(news)
            }
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
