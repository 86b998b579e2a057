public import PlainValue
public import WorkerKit
public import Workflow

/// A worker that a scripted node declared with `context:run`.
///
/// Its name in paths is that of the worker, such as `todo/http.get:1`. Workers of one name and one equal input are
/// equivalent.
public struct ScriptedWorker: EmittingWorker {
    /// An output of the worker.
    public typealias Output = WorkerOutput

    /// The name of the worker, such as `http.get`.
    public let nodeName: String
    /// What tells the workers of a name apart from those of another.
    public var nodeType: ObjectIdentifier { ObjectIdentifier(typeName) }
    /// What the worker is given.
    public let input: Value

    /// Kept, so that no other type has its identity.
    let typeName: NodeTypeName
    let work: ScriptedWork

    /// Whether name and input are equal.
    public func isEquivalent(to otherWorker: ScriptedWorker) -> Bool {
        nodeType == otherWorker.nodeType && input == otherWorker.input
    }

    /// Does the work.
    public func run(into sink: WorkerSink<WorkerOutput>) async throws {
        try await work(sink)
    }
}
