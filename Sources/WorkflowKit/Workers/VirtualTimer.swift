package import PlainValue

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
        guard ["clock.after", "clock.every"].contains(worker.name),
            let seconds = worker.run.input["seconds"]?.number, seconds >= 0, seconds <= 1e10
        else { return nil }
        repeats = worker.name == "clock.every"
        guard !repeats || seconds > 0 else { return nil }
        self.start = start
        self.seconds = seconds
    }
}
