public import PlainValue
public import Workflow
public import WorkflowLua

/// Something that happened in a session, in the order in which it happened.
public struct FlowEvent: Sendable {
    /// The number of the event in its session, rising by one from 1.
    public var sequence: Int
    /// When it happened, in milliseconds since 1970; all that one input causes at once has the time of the input.
    public var milliseconds: Int
    /// The number of the action, or other input, that a rendering or an error came of.
    public var cause: Int?
    /// The number of the attached client that asked for it, if it is an action, new props, a move or a reload; in `ready`
    /// the number of the client that is told.
    public var client: Int?
    /// Who brought it, if it is an input and that is known; see ``FlowInput/principal``.
    public var principal: String?
    /// What happened.
    public var kind: Kind

    /// An event from its parts, such as one for a test of whoever is told of events.
    public init(
        sequence: Int, milliseconds: Int, cause: Int? = nil, client: Int? = nil,
        principal: String? = nil, kind: Kind
    ) {
        self.sequence = sequence
        self.milliseconds = milliseconds
        self.cause = cause
        self.client = client
        self.principal = principal
        self.kind = kind
    }

    /// What can happen.
    public enum Kind: Sendable {
        /// The flow is loaded and about to render for the first time.
        case ready(FlowHeader)
        /// A pass gave a new rendering.
        case rendering(Value, actions: [String], pass: Int)
        /// An action begins to be applied; `source` says who caused it.
        case action(Value, node: NodePath, source: String)
        /// The root emitted an output.
        case output(Value)
        /// Something happened to a worker; `key` is empty if it has none, and `node` for one that was abandoned.
        case worker(WorkerNews.Event, worker: String, key: String, node: NodePath)
        /// The root was given new props.
        case props(Value)
        /// The session went to another step of its timeline.
        case moved(step: Int, of: Int)
        /// The flow's files were loaded again.
        case reloaded(hash: String)
        /// A snapshot that was asked for; see ``FlowSnapshot/document``.
        case snapshot(Value)
        /// An action came for a node that has gone, or after the end; the action is there if it is known.
        case dropped(node: NodePath, action: Value?, reason: String)
        /// The flow printed a line, or the host has something to say.
        case log(level: LogLevel, message: String, location: FlowError.Location?)
        /// Something failed; the session goes on unless the next event is `done`.
        case error(FlowError)
        /// A request was served, with all that it caused at once; the value is what it asked for, if it asked for one.
        case reply(id: Value, value: Value? = nil, error: FlowError? = nil)
        /// What has happened since the last news, for a client that asked to be told in this way.
        case news(Value)
        /// The session is over.
        case done(reason: String, exit: Int)
    }

    /// Whether it is what somebody outside asked for, and not what came of it.
    package var isAskedFor: Bool {
        switch kind {
        case .props, .moved, .reloaded: true
        case .action(_, node: _, source: let source): source == "client"
        default: false
        }
    }

    /// Whether it is what somebody outside asked for, or plays the part of a worker.
    var isInput: Bool {
        switch kind {
        case .worker(.output, _, _, _), .worker(.finished, _, _, _), .worker(.failed, _, _, _): true
        default: isAskedFor
        }
    }

    /// How much a log line matters.
    public enum LogLevel: String, Sendable {
        /// For the author of a worker.
        case debug
        /// What a flow prints.
        case info
        /// A misuse that stops nothing.
        case warning
        /// A worker's complaint.
        case error
    }
}
