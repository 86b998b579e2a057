/// An event in the life of a worker.
///
/// Each run begins with `started` and gives outputs until one of the others ends it. A parent that
/// handles the events of its worker, by ``EmittingWorker/asEvents()``, gets outputs, `finished` and
/// `failed`; observers of a tree get all but `abandoned`.
public enum WorkerEvent<Output: Sendable, Failure: Error>: Sendable {
    /// It was started, after the pass that declared it.
    case started
    /// It gave an output.
    case output(Output)
    /// It came to its end by itself.
    case finished
    /// It threw.
    case failed(Failure)
    /// It was cancelled: a pass did not declare it any more, or declared one that is not equivalent.
    case cancelled
    /// It had not ended in time when its session was closed, and was left behind.
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

    /// The same event with another output or failure.
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
