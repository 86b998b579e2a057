public import PlainValue
public import WorkerKit
public import Workflow

/// A worker that a scripted node declared with `context:run`.
///
/// Its name in paths is the worker's, such as `todo/http.get:1`. Name and input identify a worker.
public struct ScriptedWorker: EmittingWorker {
    /// An output of the worker.
    public typealias Output = WorkerOutput

    /// The name of the worker, such as `http.get`.
    public let nodeName: String
    /// Identifies workers by name.
    public var nodeType: ObjectIdentifier { ObjectIdentifier(typeName) }
    /// The input of the worker.
    public let input: Value

    /// Retained, so that no other type gets its identity.
    let typeName: NodeTypeName
    let work: ScriptedWork

    /// True if names and inputs are equal.
    public func isEquivalent(to otherWorker: ScriptedWorker) -> Bool {
        nodeType == otherWorker.nodeType && input == otherWorker.input
    }

    /// Does the work.
    public func run(into sink: WorkerSink<WorkerOutput>) async throws {
        try await work(sink)
    }
}
