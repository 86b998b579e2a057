/// A worker of a plugin, which flows run by name to reach the outside world.
///
/// ```swift
/// struct Again: EmittingPluginWorker {
///     static let name = "repeat.again"
///     static let summary = "Says a text a number of times."
///
///     struct Input: Codable, Sendable {
///         var text: String
///         var times: Int
///     }
///
///     func run(
///         _ input: Input, context: WorkerContext, outputs: WorkerEmitter<String>
///     ) async throws {
///         for _ in 0..<input.times { try await outputs.send(input.text) }
///     }
/// }
/// ```
///
/// This is the base of all workers. Most conform to ``PluginWorker`` (one output) or
/// ``StreamingPluginWorker`` (a sequence of outputs).
///
/// - Important: One value of the type serves all runs of all sessions concurrently; keep the data
///   of one run in local variables of `run`.
public protocol EmittingPluginWorker<Input, Output>: Sendable, SendableMetatype {
    /// The input from the flow. Its properties are the fields that the flow may set.
    associatedtype Input: Decodable & Sendable

    /// The output that the flow receives.
    associatedtype Output: Codable & Sendable

    /// The name in flows, such as `http.get`: the plugin, a dot, and the work.
    static var name: String { get }

    /// One line about the work, for lists of workers.
    static var summary: String { get }

    /// The access that a run needs and the user must grant; none by default.
    ///
    /// A run that needs access that is not granted is refused before it starts.
    static var needs: [WorkerNeed] { get }

    /// The shape of the input; by default that of `Input`, or ``ValueSchema/any`` if that fails.
    static var inputSchema: ValueSchema { get }

    /// The shape of an output; by default that of `Output`, or ``ValueSchema/any`` if that fails.
    static var outputSchema: ValueSchema { get }

    /// Does the work, and emits outputs.
    ///
    /// Called once, in a task that is cancelled to stop it and its outputs. It may block a thread.
    ///
    /// - Parameters:
    ///   - input: The input, decoded from the flow's value.
    ///   - context: The clock, log, folder and grants of the run.
    ///   - outputs: Receives the outputs, and waits while the flow has too many.
    /// - Throws: Any error makes the run fail; a ``WorkerError`` reaches the flow unchanged.
    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws
}

extension EmittingPluginWorker {
    /// No access.
    public static var needs: [WorkerNeed] { [] }

    /// Derived from `Input`.
    public static var inputSchema: ValueSchema { (try? ValueSchema(of: Input.self)) ?? .any }

    /// Derived from `Output`.
    public static var outputSchema: ValueSchema { (try? ValueSchema(of: Output.self)) ?? .any }
}
