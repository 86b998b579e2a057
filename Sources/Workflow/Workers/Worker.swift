/// A worker with one output: it waits for something, gives a value and is done.
///
/// ```swift
/// struct LoadUser: Worker, Equatable {
///     var id: Int
///     func run() async throws -> User { try await api.user(id) }
/// }
/// ```
public protocol Worker<Output>: EmittingWorker {
    /// What the worker gives.
    associatedtype Output

    /// Does the work and returns its output.
    ///
    /// Called once, in a task of its own, which is cancelled when the worker is to stop.
    ///
    /// - Throws: Whatever makes the work fail; see ``EmittingWorker/run(into:)``.
    func run() async throws -> Output
}

extension Worker {
    /// Sends what ``run()`` returns.
    public func run(into sink: WorkerSink<Output>) async throws {
        sink.send(try await run())
    }
}
