/// A worker of a plugin: a piece of the outside world that flows can run by name.
///
/// This is what all workers have in common; most are written as a ``PluginWorker`` (one output) or
/// a ``StreamingPluginWorker`` (a sequence of them). One value of the type serves all runs of all
/// sessions, at the same time; what belongs to one run is kept in `run`.
public protocol EmittingPluginWorker<Input, Output>: Sendable, SendableMetatype {
    /// What a flow hands over; its properties become the fields that a flow may write.
    associatedtype Input: Decodable & Sendable

    /// What a flow receives each time.
    associatedtype Output: Codable & Sendable

    /// The name in flows, such as `http.get`: the plugin, a dot, and what the worker does.
    static var name: String { get }

    /// One line that says what the worker does, for lists of workers.
    static var summary: String { get }

    /// What a run reaches and the user has to grant; nothing by default.
    ///
    /// A run that needs what is not granted is refused before it starts.
    static var needs: [WorkerNeed] { get }

    /// The shape of the input; by default derived from `Input`, or ``ValueSchema/any`` where that
    /// type tells nothing.
    static var inputSchema: ValueSchema { get }

    /// The shape of an output; by default derived from `Output`, or ``ValueSchema/any`` where that
    /// type tells nothing.
    static var outputSchema: ValueSchema { get }

    /// Does the work, and emits outputs on the way.
    ///
    /// Called once a run, in a task that is cancelled when the run is to stop. After that nothing
    /// is delivered any more. It may block its thread.
    ///
    /// - Throws: What makes the run fail; a ``WorkerError`` arrives as it is.
    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws
}

extension EmittingPluginWorker {
    /// Nothing.
    public static var needs: [WorkerNeed] { [] }

    /// Derived from `Input`.
    public static var inputSchema: ValueSchema { (try? ValueSchema(of: Input.self)) ?? .any }

    /// Derived from `Output`.
    public static var outputSchema: ValueSchema { (try? ValueSchema(of: Output.self)) ?? .any }
}
