public import PlainValue
public import WorkflowLua

/// Something that happened in a session, in the order in which it happened.
public struct FlowEvent: Sendable {
    /// The number of the event in its session, rising by one from 1.
    public var sequence: Int
    /// When it happened, in milliseconds since 1970.
    public var milliseconds: Int
    /// What happened.
    public var kind: Kind

    /// What can happen.
    public enum Kind: Sendable {
        /// The flow is loaded and about to render for the first time.
        case ready(flow: String, session: String)
        /// A pass gave a new rendering; `cause` is the sequence of the action or request behind it.
        case rendering(Value, actions: [String], pass: Int, cause: Int?)
        /// An action begins to be applied; `source` says who caused it.
        case action(Value, node: String, source: String)
        /// The root emitted an output.
        case output(Value)
        /// An action came for a node that has gone, or after the end; the action is there if it is known.
        case dropped(node: String, action: Value?, reason: String)
        /// The flow printed a line, or the host has something to say.
        case log(level: LogLevel, message: String, location: FlowError.Location?)
        /// Something failed; the session goes on unless the next event is `done`.
        case error(FlowError)
        /// A request was served, with all that it caused at once.
        case reply(id: Value, error: FlowError?)
        /// The session is over.
        case done(reason: String, exit: Int)
    }

    /// How much a log line matters.
    public enum LogLevel: String, Sendable {
        /// What a flow prints.
        case info
        /// A misuse that stops nothing.
        case warning
    }
}
