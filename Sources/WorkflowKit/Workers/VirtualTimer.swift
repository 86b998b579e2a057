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
    package var due: Duration { start + .seconds(seconds) * (count + 1) }

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
    /// The time rounded to nanoseconds.
    ///
    /// Virtual times are added as they are and compared rounded, so that thirds and tenths of a
    /// second add up. Rounded before they are added, they do not.
    package var rounded: Duration {
        let (seconds, attoseconds) = components
        return .seconds(seconds) + .nanoseconds((attoseconds + 500_000_000) / 1_000_000_000)
    }

    /// The whole milliseconds of the time rounded to nanoseconds.
    package var milliseconds: Int {
        let (seconds, attoseconds) = rounded.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
