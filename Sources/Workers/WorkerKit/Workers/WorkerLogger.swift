/// Writes to the log of the session that runs a worker.
///
/// ```swift
/// func run(_ input: Input, context: WorkerContext) async throws -> String {
///     context.log.info("greeting \(input.name)")
///     return "Hello, \(input.name)!"
/// }
/// ```
public struct WorkerLogger: Sendable {
    /// The importance of a line.
    public enum Level: Int, Sendable, Hashable, CaseIterable {
        /// For the worker's author.
        case debug
        /// Worth knowing.
        case info
        /// An odd event; the work continues.
        case warning
        /// A failure.
        case error
    }

    private let write: @Sendable (Level, String) -> Void

    /// Makes a logger that passes each line to `write`, which may be called from any thread.
    ///
    /// ```swift
    /// let logger = WorkerLogger { level, line in print(level, line) }
    /// ```
    public init(_ write: @escaping @Sendable (Level, String) -> Void) { self.write = write }

    /// A logger that drops everything.
    public static let silent = WorkerLogger { _, _ in }

    /// Writes a line.
    ///
    /// ```swift
    /// context.log.log(.warning, "the host is slow")
    /// ```
    public func log(_ level: Level, _ message: String) { write(level, message) }

    /// Writes a line for the worker's author.
    public func debug(_ message: String) { write(.debug, message) }

    /// Writes a line that is worth knowing.
    public func info(_ message: String) { write(.info, message) }

    /// Writes a line about an odd event.
    public func warning(_ message: String) { write(.warning, message) }

    /// Writes a line about a failure.
    public func error(_ message: String) { write(.error, message) }
}
