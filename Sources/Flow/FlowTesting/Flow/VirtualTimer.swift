import PlainValue
import WorkflowKit

/// A worker of the plugin `clock` in virtual time.
struct VirtualTimer {
    let worker: WorkerRun
    let start: Duration
    let seconds: Double
    /// True if it gives outputs until it is cancelled.
    let repeats: Bool
    var count = 0

    /// The time of its next output.
    var due: Duration { start + .seconds(seconds) * (count + 1) }

    var output: Value { worker.clockOutput(count + 1)?.output ?? .null }

    /// - Returns: `nil` for a worker of another plugin, or an input that the clock would refuse.
    init?(_ worker: WorkerRun, at start: Duration) {
        guard let (_, seconds, repeats) = worker.clockOutput(1) else { return nil }
        self.worker = worker
        self.start = start
        self.seconds = seconds
        self.repeats = repeats
    }
}

extension Duration {
    /// The time rounded to nanoseconds.
    ///
    /// Virtual times are added as they are and compared rounded, so that thirds and tenths of a
    /// second add up. Rounded before they are added, they do not.
    var rounded: Duration {
        let (seconds, attoseconds) = components
        return .seconds(seconds) + .nanoseconds((attoseconds + 500_000_000) / 1_000_000_000)
    }

    var milliseconds: Int {
        let (seconds, attoseconds) = rounded.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
