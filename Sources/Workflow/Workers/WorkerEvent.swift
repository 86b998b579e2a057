/// What becomes of a worker while it is declared; see ``EmittingWorker/asEvents()``.
public enum WorkerEvent<Output: Sendable>: Sendable {
    /// It gave an output.
    case output(Output)
    /// It came to its end by itself.
    case finished
    /// It threw.
    case failed(any Error)
}
