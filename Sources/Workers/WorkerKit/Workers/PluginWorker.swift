/// A worker with one output: it does its work, returns a value and ends.
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
    /// The input from the flow.
    associatedtype Input

    /// The output that the flow receives.
    associatedtype Output

    /// Does the work and returns its output. Called like
    /// ``EmittingPluginWorker/run(_:context:outputs:)``.
    ///
    /// - Throws: Any error makes the run fail; a ``WorkerError`` reaches the flow unchanged.
    func run(_ input: Input, context: WorkerContext) async throws -> Output
}

extension PluginWorker {
    /// Emits the result of the other `run`.
    ///
    /// - Parameters:
    ///   - input: The input, decoded from the flow's value.
    ///   - context: The clock, log, folder and grants of the run.
    ///   - outputs: Receives the only output.
    /// - Throws: The error of the other `run`, or of ``WorkerEmitter/send(_:)``.
    public func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        try await outputs.send(try await run(input, context: context))
    }
}
