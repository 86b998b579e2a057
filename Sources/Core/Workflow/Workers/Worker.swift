/// A worker with one output: it does its work, returns a value and ends.
///
/// ```swift
/// struct LoadUser: Worker, Equatable {
///     var id: Int
///     func run() async throws -> User { try await api.user(id) }
/// }
/// ```
public protocol Worker<Output>: EmittingWorker {
    /// The worker's output.
    associatedtype Output

    /// Does the work and returns its output. Called once, in its own task, which is cancelled when
    /// the worker has to stop.
    ///
    /// - Throws: Any error makes the work fail; see ``EmittingWorker/run(into:)``.
    func run() async throws -> Output
}

extension Worker {
    /// Sends the result of ``run()``.
    public func run(into sink: WorkerSink<Output>) async throws {
        sink.send(try await run())
    }
}
