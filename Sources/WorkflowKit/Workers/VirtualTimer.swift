package import PlainValue
import WorkerKit

/// A worker of the plugin `clock` in virtual time: when it gives its next output.
package struct VirtualTimer {
    package let start: Duration
    package let seconds: Double
    /// Whether it gives outputs until it is cancelled.
    package let repeats: Bool
    /// How many outputs it has given.
    package var count = 0

    /// When it gives the next one.
    package var due: Duration { start + .seconds(rounding: seconds) * (count + 1) }

    /// What it gives then.
    package var output: Value {
        if repeats { return ["tick": .int(count + 1)] }
        return ["seconds": Int(exactly: seconds).map { .int($0) } ?? .double(seconds)]
    }

    /// - Returns: `nil` if the worker is none of the clock, or has an input that the clock would refuse.
    package init?(_ worker: DeclaredWorker, at start: Duration) {
        guard let bounds = Self.bounds[worker.name],
            let seconds = worker.run.input["seconds"]?.number, bounds.contains(seconds)
        else { return nil }
        repeats = worker.name == "clock.every"
        self.start = start
        self.seconds = seconds
    }

    /// How many seconds the workers of the clock take.
    private static let bounds = [
        "clock.after": 0...Double.mostSeconds, "clock.every": 0.001...Double.mostSeconds,
    ]
}

extension Duration {
    /// Seconds in whole nanoseconds, so that parts such as 2.9 and 0.1 add up.
    package static func seconds(rounding seconds: Double) -> Duration {
        .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
