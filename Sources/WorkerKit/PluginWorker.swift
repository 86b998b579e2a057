/// A worker with one output: it does something, gives a value and is done.
///
/// ```swift
/// struct Greet: PluginWorker {
///     static let name = "greeter.greet"
///     static let summary = "Greets somebody."
///     struct Input: Codable, Sendable { var name: String }
///
///     func run(_ input: Input, context: WorkerContext) async throws -> String {
///         "Hello, \(input.name)!"
///     }
/// }
/// ```
public protocol PluginWorker<Input, Output>: EmittingPluginWorker {
    /// What a flow hands over.
    associatedtype Input

    /// What a flow receives.
    associatedtype Output

    /// Does the work and returns its output; called as the one that emits is.
    ///
    /// - Throws: What makes the run fail; a ``WorkerError`` arrives as it is.
    func run(_ input: Input, context: WorkerContext) async throws -> Output
}

extension PluginWorker {
    /// Emits what the other `run` returns.
    public func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        try await outputs.send(try await run(input, context: context))
    }
}
