package import PlainValue
import WorkerKit
package import Workflow
package import WorkflowLua

/// A worker that a node declares with an input. Another input is another run.
package struct WorkerRun: Hashable {
    /// The path of the worker, below that of its node.
    package let path: NodePath
    package let input: Value

    package var name: String { path.components.last?.name ?? "" }

    package func news(_ event: WorkerNews.Event) -> WorkerNews {
        WorkerNews(
            node: path.parent, worker: name, key: path.components.last?.key ?? "", event: event)
    }

    /// An output of a worker of the plugin `clock`; `nil` for others and for a refused input.
    ///
    /// - Parameter number: The number of the output, from 1.
    /// - Returns: The output, the seconds before it, and true if the worker repeats.
    package func clockOutput(_ number: Int) -> (output: Value, seconds: Double, repeats: Bool)? {
        guard let bounds = Self.clockBounds[name], let seconds = input["seconds"]?.number,
            bounds.contains(seconds)
        else { return nil }
        guard name != "clock.every" else { return (["tick": .int(number)], seconds, true) }
        let whole = Int(exactly: seconds).map { Value.int($0) }
        return (["seconds": whole ?? .double(seconds)], seconds, false)
    }

    /// The seconds that the workers of the clock accept.
    private static let clockBounds = [
        "clock.after": 0...Double.mostSeconds, "clock.every": 0.001...Double.mostSeconds,
    ]
}
