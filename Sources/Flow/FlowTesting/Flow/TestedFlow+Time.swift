import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension TestedFlow {
    /// The maximum number of outputs of the clock in one step of time.
    private static let mostTicks = 10_000

    /// Starts and stops the timers of the clock's workers as these are declared.
    func followWorkers() {
        var next: [WorkerRun: VirtualTimer] = [:]
        for worker in runningWorkers {
            next[worker] = timers[worker] ?? VirtualTimer(worker, at: now)
        }
        timers = next
    }

    /// Lets time pass: the clock's workers give their outputs in order, each at its time.
    func advance(by seconds: Double) throws(FlowTestFailure) {
        let end = now + .seconds(seconds)
        guard writtenTimes.contains(end.milliseconds) else { throw FlowTestFailure(.endOfClock) }
        let title = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        steps.append("\(title) s pass")
        var count = 0
        while errors.isEmpty, let (worker, timer) = nextTimer(until: end) {
            count += 1
            guard count <= Self.mostTicks else {
                throw FlowTestFailure(.tooManyTicks, Self.mostTicks)
            }
            now = max(now, timer.due)
            do throws(FlowError) { try fire(timer, of: worker) } catch {
                throw FlowTestFailure(error)
            }
        }
        now = max(now, end)
    }

    private func nextTimer(until end: Duration) -> (WorkerRun, VirtualTimer)? {
        var next: (WorkerRun, VirtualTimer)?
        for worker in runningWorkers {
            guard let timer = timers[worker] else { continue }
            mentioned.insert(worker)
            guard timer.repeats || timer.count == 0,
                timer.due.rounded <= end.rounded,
                next.map({ timer.due.rounded < $0.1.due.rounded }) ?? true
            else { continue }
            next = (worker, timer)
        }
        return next
    }

    private func fire(_ timer: VirtualTimer, of worker: WorkerRun) throws(FlowError) {
        assert(timers[worker] != nil)
        timers[worker]?.count += 1
        try emit(worker.news(.output(timer.output)))
        if timer.repeats { return }
        // The output may have led to a render that leaves the worker out.
        if timers[worker] != nil, errors.isEmpty { try emit(worker.news(.finished)) }
    }
}
