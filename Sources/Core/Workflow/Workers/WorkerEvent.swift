/// An event in the life of a worker.
///
/// Each run begins with `started` and emits outputs until one of the other events ends it. A parent
/// that handles the events of its worker, with ``EmittingWorker/asEvents()``, gets outputs,
/// `finished` and `failed`. Observers of a tree get all events except `abandoned`.
public enum WorkerEvent<Output: Sendable, Failure: Error>: Sendable {
    /// The worker started, after the pass that declared it.
    case started
    /// The worker emitted an output.
    case output(Output)
    /// The worker finished.
    case finished
    /// The worker threw an error.
    case failed(Failure)
    /// The worker was cancelled: a pass declared it no more, or one that is not equivalent.
    case cancelled
    /// The worker did not end in time when its session was closed.
    case abandoned

    /// The event in one word, such as `started`.
    public var name: String {
        switch self {
        case .started: "started"
        case .output: "output"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .abandoned: "abandoned"
        }
    }

    /// This event with its output or failure mapped.
    ///
    /// ```swift
    /// let size = event.map(output: \.count, failure: { $0 })  // .output(2)
    /// ```
    public func map<NewOutput, NewFailure>(
        output: (Output) -> NewOutput, failure: (Failure) -> NewFailure
    ) -> WorkerEvent<NewOutput, NewFailure> {
        switch self {
        case .started: .started
        case .output(let value): .output(output(value))
        case .finished: .finished
        case .failed(let error): .failed(failure(error))
        case .cancelled: .cancelled
        case .abandoned: .abandoned
        }
    }
}

extension WorkerEvent: Equatable where Output: Equatable, Failure: Equatable {}

extension WorkerEvent: Hashable where Output: Hashable, Failure: Hashable {}

extension WorkerEvent: CustomStringConvertible {
    /// The event in words; the output is left out.
    public var description: String {
        switch self {
        case .started, .finished: name
        case .output: "gave an output"
        case .failed(let error): "failed: \(error)"
        case .cancelled, .abandoned: "was \(name)"
        }
    }
}
