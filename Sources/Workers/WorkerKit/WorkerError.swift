public import PlainValue

/// An error of a worker, with a code for programs and a message for people.
///
/// ```swift
/// guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
///     throw WorkerError("unreadable", "\(input.path) cannot be read")
/// }
/// ```
///
/// A flow's `on_error` receives it as `{ code, message, help }`.
public struct WorkerError: Error, Sendable, Hashable {
    /// One word for programs, such as `timed_out`.
    public var code: String
    /// One sentence for people, without a full stop.
    public var message: String
    /// Advice on what to do next.
    public var help: String?

    /// Makes an error from its parts.
    ///
    /// - Parameters:
    ///   - code: One word for programs, such as `timed_out`.
    ///   - message: One sentence for people, without a full stop.
    ///   - help: Advice on what to do next; `nil` for none.
    public init(_ code: String, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }

    /// Converts `error`. Unless it is a `WorkerError`, its description gets the code `failed`.
    ///
    /// ```swift
    /// print(WorkerError(describing: WorkerError("timed_out", "too slow")).code)  // timed_out
    /// ```
    public init(describing error: any Error) {
        self = error as? WorkerError ?? WorkerError("failed", "\(error)")
    }

    /// The error as a flow receives it: `{ code, message, help }`, or without `help`.
    public var value: Value {
        var fields: Value.Record = ["code": .string(code), "message": .string(message)]
        if let help { fields["help"] = .string(help) }
        return .record(fields)
    }
}

extension WorkerError: CustomStringConvertible {
    /// The message, and the help in brackets.
    public var description: String { help.map { "\(message) (\($0))" } ?? message }
}
