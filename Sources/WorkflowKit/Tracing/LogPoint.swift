public import PlainValue
public import WorkflowLua

/// A line of a flow at which something is to be written down, each time that it is run.
///
/// What it writes can be asked for after the fact: what a flow did follows from its inputs, and so its lines can be run
/// again. The idea is that of Replay.io's print statements.
public struct LogPoint: Sendable, Hashable, CustomStringConvertible {
    /// The file, relative to the flow's folder or as the flow was named.
    public var file: String
    /// The line, from 1; what is written is what holds before it is run.
    public var line: Int
    /// What is written: words, with expressions between braces.
    public var text: String
    /// An expression that must hold; `nil`: none.
    public var condition: String?

    /// A log point from its parts.
    public init(file: String, line: Int, text: String, condition: String? = nil) {
        self.file = file
        self.line = line
        self.text = text
        self.condition = condition
    }

    /// A log point as it is typed: `todo.lua:31: {item.id} {item.done}`.
    ///
    /// - Throws: A `FlowError` if it says no file and line.
    public init(_ typed: String, where condition: String? = nil) throws(FlowError) {
        let parts = typed.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, let line = Int(parts[1]), line > 0 else {
            throw FlowError(
                .misuse, "'\(typed)' does not say where to log",
                help: "write a file, a line and what to log, such as 'todo.lua:31: {item.id}'")
        }
        let text = parts.count > 2 ? parts[2].drop { $0 == " " } : ""
        self.init(file: String(parts[0]), line: line, text: String(text), condition: condition)
    }

    /// The log point as it is typed, without its condition.
    public var description: String { "\(file):\(line): \(text)" }
}

/// What a ``LogPoint`` wrote.
public struct LogHit: Sendable {
    /// The step: 0 is the beginning, n the n-th input. Of an input that failed, the step that it would have been.
    public var step: Int
    /// The call of a node's function in that step, from 1.
    public var call: Int
    /// The path of the node; empty if a file was being run.
    public var node: String
    /// The function that was called, or what called it.
    public var phase: FlowPhase
    /// The line.
    public var location: FlowError.Location
    /// The text, and the values of its expressions in order; or why one has none.
    public var content: Result<Content, FlowError>
    /// Where the input failed and so became no step: its number among all of the session that did, from 1.
    public var failure: Int?

    /// A text and its values.
    public struct Content: Sendable {
        /// The text, with values for expressions.
        public var text: String
        /// The values of the expressions, in order.
        public var values: [Value]
    }
}
