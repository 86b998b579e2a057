public import PlainValue
public import WorkerKit

/// A worker that a flow declared and was refused: unknown, not granted, or with a bad input.
///
/// A refusal depends on the host, not on the flow, so a replay refuses the same worker again.
public struct WorkerRefusal: Sendable, Hashable {
    /// The name of the worker.
    public var worker: String
    /// The declared input.
    public var input: Value
    /// The error of the refusal.
    public var error: WorkerError

    /// Makes a refusal from its parts.
    ///
    /// - Parameters:
    ///   - worker: The name under which the flow declared the worker.
    ///   - input: The input with which it was declared.
    ///   - error: The reason, with a code such as `not_granted`.
    public init(worker: String, input: Value, error: WorkerError) {
        self.worker = worker
        self.input = input
        self.error = error
    }

    /// True if the refusal is about a worker with an input, parts of which a recording may mask.
    func concerns(_ worker: String, _ input: Value) -> Bool {
        self.worker == worker && input.hidden(as: self.input) == self.input
    }

    var document: Value.Record {
        ["worker": .string(worker), "input": input, "error": error.value]
    }

    init?(document: Value) {
        guard let worker = document["worker"]?.string, let input = document["input"],
            let code = document["error"]?["code"]?.string,
            let message = document["error"]?["message"]?.string
        else { return nil }
        let help = document["error"]?["help"]?.string
        self.init(worker: worker, input: input, error: WorkerError(code, message, help: help))
    }
}
