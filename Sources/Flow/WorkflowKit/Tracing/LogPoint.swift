public import PlainValue
public import Workflow
public import WorkflowLua

/// A line of a flow at which values are logged each time that it runs.
///
/// ```swift
/// let point = LogPoint(file: "todo.lua", line: 25, text: "{action.text}")
/// try await session.log([point], steps: 1...2) { hit in
///     print(hit.step, (try? hit.content.get().text) ?? "")  // 1 milk, then 2 bread
/// }
/// ```
///
/// It also logs past steps: the behaviour of a flow depends only on its inputs, so its lines can be
/// replayed. The idea comes from Replay.io's print statements.
public struct LogPoint: Sendable, Hashable, CustomStringConvertible {
    /// The file, relative to the flow's folder or as the flow was named.
    public var file: String
    /// The line, from 1. The values are those before the line runs.
    public var line: Int
    /// The text to log, with expressions in braces.
    public var text: String
    /// A condition for the hit; `nil` for none.
    public var condition: String?

    /// Makes a log point from its parts.
    public init(file: String, line: Int, text: String, condition: String? = nil) {
        self.file = file
        self.line = line
        self.text = text
        self.condition = condition
    }

    /// Parses a log point such as `todo.lua:31: {item.id} {item.done}`.
    ///
    /// ```swift
    /// let point = try LogPoint(parsing: "todo.lua:31: {item.id} {item.done}", where: "item.done")
    /// ```
    ///
    /// - Throws: A `FlowError` if it has no file and line.
    public init(parsing typed: String, where condition: String? = nil) throws(FlowError) {
        let parts = typed.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, let line = Int(natural: parts[1]), line > 0
        else { throw FlowError(.noPoint, typed) }
        let text = parts.count > 2 ? parts[2].drop { $0 == " " } : ""
        self.init(file: String(parts[0]), line: line, text: String(text), condition: condition)
    }

    /// The text form of the log point, without its condition.
    public var description: String { "\(file):\(line): \(text)" }
}

/// A hit of a ``LogPoint``.
public struct LogHit: Sendable {
    /// The step that the input led to, or, if it failed, would have led to; 0 is the beginning.
    public var step: Int
    /// The call of a node's function in that step, from 1.
    public var call: Int
    /// The path of the node; empty while a file is loaded.
    public var node: NodePath
    /// The phase of the call.
    public var phase: FlowPhase
    /// The line.
    public var location: FlowError.Location
    /// The text with the values of its expressions in order, or the error of an expression.
    public var content: Result<Content, FlowError>
    /// The number of an input that failed among those of the session, from 1; `nil` for a step.
    public var failure: Int?

    /// A text and its values.
    public struct Content: Sendable {
        /// The text, with values in place of expressions.
        public var text: String
        /// The values of the expressions, in order.
        public var values: [Value]
    }
}
