public import PlainValue
public import WorkerKit

/// A worker that a flow declared and was refused, since it was not granted, unknown, or had a wrong input.
///
/// Whether a worker is refused is up to the machine, not to the flow: who plays inputs again refuses it again.
public struct WorkerRefusal: Sendable, Hashable {
    /// The name of the worker.
    public var worker: String
    /// What the flow wanted to give it.
    public var input: Value
    /// Why it was refused.
    public var error: WorkerError

    /// Makes a refusal from its parts.
    public init(worker: String, input: Value, error: WorkerError) {
        self.worker = worker
        self.input = input
        self.error = error
    }

    /// Whether it is about a worker with this input. A recording may not show all of the input.
    func concerns(_ worker: String, _ input: Value) -> Bool {
        self.worker == worker && input.hidden(as: self.input) == self.input
    }

    /// The refusal as a plain value, for the protocol and for files.
    var document: Value.Record {
        ["worker": .string(worker), "input": input, "error": error.value]
    }

    /// The refusal that a document holds; `nil` if it holds none.
    init?(document: Value) {
        guard let worker = document["worker"]?.string, let input = document["input"],
            let code = document["error"]?["code"]?.string,
            let message = document["error"]?["message"]?.string
        else { return nil }
        let help = document["error"]?["help"]?.string
        self.init(worker: worker, input: input, error: WorkerError(code, message, help: help))
    }
}
