/// What went wrong in a worker, in words that a flow can act on and a person can read.
///
/// A flow's `on_error` receives it as `{ code, message, help }`.
public struct WorkerError: Error, Sendable, Hashable {
    /// One word for programs, such as `timed_out`.
    public var code: String
    /// One sentence for people, without a full stop.
    public var message: String
    /// The next step to take.
    public var help: String?

    /// An error from its parts.
    public init(_ code: String, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }

    /// `error` itself when it is described, otherwise its description under the code `failed`.
    public init(describing error: any Error) {
        self = error as? WorkerError ?? WorkerError("failed", "\(error)")
    }
}

extension WorkerError: CustomStringConvertible {
    /// The message, and the help in brackets.
    public var description: String { help.map { "\(message) (\($0))" } ?? message }
}
