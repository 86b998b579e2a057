/// What a worker does next in its life, as observers see it.
public enum WorkerPhase: Sendable, CustomStringConvertible {
    /// It was started, after the pass that declared it.
    case started
    /// It gave an output, which is about to be applied.
    case gaveOutput
    /// It came to its end by itself.
    case finished
    /// It threw.
    case failed(any Error)
    /// It was cancelled: a pass did not declare it any more, or declared one that is not equivalent.
    case cancelled

    /// The phase in words.
    public var description: String {
        switch self {
        case .started: "started"
        case .gaveOutput: "gave an output"
        case .finished: "finished"
        case .failed(let error): "failed: \(error)"
        case .cancelled: "was cancelled"
        }
    }
}
