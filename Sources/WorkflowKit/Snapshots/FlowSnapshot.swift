public import PlainValue
import Workflow
public import WorkflowLua

/// A session at one moment, for going on from there later: also in another process, by its ``document``.
public struct FlowSnapshot: Sendable {
    /// The version of the form of ``document``.
    public static let documentVersion = 1

    /// The name of the flow.
    public var flow: String
    /// Sixteen digits for each of the flow's files that was loaded, which change with its code: not with comments and
    /// blanks.
    public var files: [String: String]
    /// When it was made, in milliseconds since 1970.
    public var milliseconds: Int
    /// How far random numbers had been drawn.
    public var random: RandomState
    /// The props of the root.
    public var props: Value
    /// Whether what does not match is left out instead of refused; `false` unless it is set.
    public var isLenient = false

    /// The states of the nodes.
    var tree: TreeSnapshot
    /// The workers of the nodes by the paths of these: name, key, input and whether each has ended.
    var workers: [NodePath: [FlowNode.Worker]]

    /// The workers that stay declared and have come to their end.
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
