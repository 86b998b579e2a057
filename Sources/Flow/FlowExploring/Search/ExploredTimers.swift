import PlainValue
import WorkflowKit

/// The workers of the plugin `clock` that wait in a moment.
///
/// Actions may come at any time, so the order of timers that began in different steps is known only
/// if the earlier one does not take longer. Ticks come at any time.
struct ExploredTimers {
    /// The seconds that passed at least.
    private(set) var elapsed = 0.0
    private var waiting: [WorkerRun: Timer] = [:]

    private struct Timer {
        let seconds: Double
        let due: Double
        let ticks: Bool
        /// The timers that are due before it.
        var before: Set<WorkerRun>
    }

    /// The known order, which is all that the next step depends on.
    var order: [WorkerRun: Set<WorkerRun>] {
        waiting.compactMapValues { $0.before.isEmpty ? nil : $0.before }
    }

    /// The milliseconds at which a step happens, in which the timer `fired` is due.
    func milliseconds(of fired: WorkerRun?) -> Int {
        let due = fired.flatMap { waiting[$0]?.due } ?? elapsed
        return Int(clamping: Int64((max(elapsed, due) * 1000).rounded()))
    }

    /// True if nothing that waits is due before it for certain.
    func isDue(_ run: WorkerRun) -> Bool { waiting[run]?.before.isEmpty ?? true }

    /// Passes to the moment after the timer `fired` was due, in which `workers` run.
    mutating func update(fired: WorkerRun?, workers: [WorkerRun]) {
        if let fired, let timer = waiting.removeValue(forKey: fired) {
            elapsed = max(elapsed, timer.due)
        }
        let running = Set(workers)
        waiting = waiting.filter { running.contains($0.key) }
        let still = Set(waiting.keys)
        for run in still { waiting[run]?.before.formIntersection(still) }
        let earlier = waiting.filter { !$0.value.ticks }
        var begun: [WorkerRun: Timer] = [:]
        for run in workers where waiting[run] == nil {
            guard let (_, seconds, ticks) = run.clockOutput(1) else { continue }
            let sooner = ticks ? [:] : earlier.filter { $0.value.seconds <= seconds }
            begun[run] = Timer(
                seconds: seconds, due: elapsed + seconds, ticks: ticks, before: Set(sooner.keys))
        }
        for (run, timer) in begun {
            var timer = timer
            if !timer.ticks {
                let sooner = begun.filter { !$0.value.ticks && $0.value.seconds < timer.seconds }
                timer.before.formUnion(sooner.keys)
            }
            waiting[run] = timer
        }
    }
}
