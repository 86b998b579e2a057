public import PlainValue
public import Workflow
public import WorkflowLua

/// An event of a session.
///
/// ```swift
/// let session = try await FlowSession.open(.text(counter)) { event in
///     switch event.kind {
///     case .rendering(let rendering, _, _): print("rendering", rendering)
///     case .error(let error): print("error", error.message)
///     default: break
///     }
/// }
/// ```
public struct FlowEvent: Sendable {
    /// The number of the event in its session, rising by one from 1.
    public var sequence: Int
    /// The time in milliseconds since 1970. What an input causes at once has the input's time.
    public var milliseconds: Int
    /// The event number of the input that caused a rendering or an error.
    public var cause: Int?
    /// The number of the attached client that requested an action, new props, a move or a reload.
    /// In `ready` it is the number of the receiving client.
    public var client: Int?
    /// The sender of an input, if known; see ``FlowInput/principal``. In `ready`, the creator.
    public var principal: String?
    /// The kind of event.
    public var kind: Kind

    /// Makes an event from its parts, for example for a test.
    ///
    /// - Parameters:
    ///   - sequence: The number in the session, from 1.
    ///   - milliseconds: The time since 1970.
    ///   - cause: The event number of the input that caused it; `nil` if none did.
    ///   - client: The number of the client that requested it; `nil` if none did.
    ///   - principal: The sender of the input; `nil` if unknown.
    ///   - kind: The event itself.
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

    /// The kinds of events.
    public enum Kind: Sendable {
        /// The flow is loaded and about to render for the first time.
        case ready(FlowHeader)
        /// A pass made a new rendering.
        case rendering(Value, actions: [String], pass: Int)
        /// An action begins to be applied; `source` is its origin.
        case action(Value, node: NodePath, source: String)
        /// The root emitted an output.
        case output(Value)
        /// An event of a worker. `key` is empty if it has none, `node` if it was abandoned.
        case worker(WorkerNews.Event, worker: String, key: String, node: NodePath)
        /// The flow declared a worker and was refused it, even if it handled the error.
        case refused(WorkerRefusal)
        /// The root was given new props.
        case props(Value)
        /// The session moved to another step of its timeline. The snapshot is the state there, if
        /// other code led to it than continues from it.
        case moved(step: Int, of: Int, snapshot: Value? = nil)
        /// The flow's files were reloaded. The snapshot is the state at the shown step, if it was
        /// kept; see ``FlowSnapshot/document``.
        case reloaded(hash: String, snapshot: Value? = nil)
        /// A requested snapshot; see ``FlowSnapshot/document``.
        case snapshot(Value)
        /// An action, given if known, was dropped, because its node or the session has ended.
        case dropped(node: NodePath, action: Value?, reason: String)
        /// The flow printed a line, or the host logged one.
        case log(level: LogLevel, message: String, location: FlowError.Location?)
        /// Something failed; the session continues unless the next event is `done`.
        case error(FlowError)
        /// A request was served with all immediate effects; `value` is its result, if any.
        case reply(id: Value, value: Value? = nil, error: FlowError? = nil)
        /// The reply to an expression with several values; in JSON, all but the first are `more`.
        case values(id: Value, [Value])
        /// The changes since the last news, for a client that follows the session.
        case news(Value)
        /// The session is over.
        case done(reason: String, exit: Int)
    }

    /// True if the event is a request from outside the flow; false if it is a consequence.
    package var isAskedFor: Bool {
        switch kind {
        case .props, .moved, .reloaded: true
        case .action(_, node: _, source: let source): source == "client"
        default: false
        }
    }

    /// True if the event is a request from outside the flow, or of a worker and becomes an input.
    var isInput: Bool {
        switch kind {
        case .worker(.output, _, _, _), .worker(.finished, _, _, _), .worker(.failed, _, _, _): true
        default: isAskedFor
        }
    }

    /// True if a recording has the event as a step, or as an input that failed.
    package var isRecordedInput: Bool {
        switch kind {
        case .moved, .reloaded: false
        default: isInput
        }
    }

    /// The importance of a log line.
    public enum LogLevel: String, Sendable {
        /// For the author of a worker.
        case debug
        /// A line that a flow prints.
        case info
        /// A misuse that stops nothing.
        case warning
        /// A worker's complaint.
        case error
    }
}
