public import PlainValue
import Workflow
public import WorkflowLua

/// A session at one moment, to be restored later, by its ``document`` also in another process.
///
/// ```swift
/// let text = try await session.snapshot().json
///
/// let snapshot = try FlowSnapshot(json: text.utf8)
/// let later = try await FlowSession.open(
///     .file(tea), options: options, restoring: snapshot)
/// ```
public struct FlowSnapshot: Sendable {
    /// The version of the format of ``document``.
    public static let documentVersion = 1

    /// The name of the flow.
    public var flow: String
    /// The hash of the code of each loaded file, in sixteen digits. It ignores comments and blanks.
    public var files: [String: String]
    /// The time of the snapshot, in milliseconds since 1970.
    public var milliseconds: Int
    /// The state of the random number generator.
    public var random: RandomState
    /// The name of the session's creator; `nil` if unknown.
    public var principal: String?
    /// The props of the root.
    public var props: Value
    /// True if parts that do not fit are ignored; else the snapshot is refused. `false` by default.
    ///
    /// - Warning: The states of these parts are lost.
    public var isLenient = false

    /// The session's start in milliseconds since 1970, if the flow's files depend on it.
    var startTime: Int?
    /// The workers that are refused in a replay.
    var refusals: [WorkerRefusal] = []
    var tree: TreeSnapshot
    /// The workers of the nodes by the paths of these: name, key, input and whether each has ended.
    var workers: [NodePath: [FlowNode.Worker]]

    var endedWorkers: [WorkerRun] {
        workers.flatMap { path, workers in
            workers.filter(\.hasEnded).map { worker in
                WorkerRun(
                    path: NodePath(path.components + [.init(name: worker.name, key: worker.key)]),
                    input: worker.input)
            }
        }
    }
}
