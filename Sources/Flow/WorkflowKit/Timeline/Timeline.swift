import PlainValue
import Workflow
import WorkflowLua

/// The inputs of a session so far, and states at some steps from which any step can be reached.
///
/// Step 0 is the beginning; step n is the moment after the n-th input. A state is kept every so
/// many steps, and the steps between are replayed. If steps take long or there are many nodes,
/// states are kept more often: they share the parts that have not changed. When the states take too
/// much memory, every second one is dropped.
struct Timeline {
    /// An input that failed, and so did not become a step.
    struct FailedInput {
        let input: FlowInput
        /// The step after which it came.
        let after: Int
        /// Its number among all failed inputs, from 1.
        let number: Int
    }

    /// The code that played steps before a reload that kept the state.
    struct EarlierCode {
        let flow: LuaFlow
        /// The last step that it played.
        var last: Int
    }

    static let memoryLimit = 64 << 20
    /// The approximate maximum number of nodes that are rendered again to reach a step.
    private static let mostNodes = 131_072

    private(set) var inputs = InputLog()
    /// The latest inputs that failed, in the order of the steps after which they came.
    private(set) var failedInputs: [FailedInput] = []
    private var failureCount = 0
    private static let mostFailures = 64
    private(set) var checkpoints: [FlowCheckpoint] = []
    /// The codes that played the steps before reloads, oldest first.
    private(set) var earlierCodes: [EarlierCode] = []
    /// The first step from which steps can be replayed, as the code that played them is known.
    private(set) var firstReplayable = 0
    private static let mostEarlierCodes = 16
    /// The maximum number of steps between two checkpoints, a power of two.
    private(set) var stride = 64
    /// The least value of `stride`, which grows when the states take too much memory.
    private var leastStride = 1
    private static let mostStride = 1 << 30
    /// The milliseconds of playing after which a state is kept, even before `stride` steps.
    private var mostTime = 50
    /// The milliseconds that the steps since the last checkpoint took.
    private var time = 0
    private var bytes = 0
    /// The number of times that steps changed: they were discarded, or replayed by other code.
    private(set) var revision = 0
    /// The last unchanged step of each of the latest revisions.
    private var cuts: [Int] = []
    private static let mostCuts = 64

    /// The last step.
    var count: Int { inputs.count }

    /// Adds an input that was applied in `time` milliseconds; true if the state after it is due.
    mutating func append(_ input: FlowInput, time: Int) -> Bool {
        inputs.append(input)
        self.time += time
        return count % stride == 0 || self.time >= mostTime
    }

    mutating func append(failed input: FlowInput, after step: Int) {
        failureCount += 1
        if failedInputs.count == Self.mostFailures {
            failedInputs.indices.min { failedInputs[$0].number < failedInputs[$1].number }
                .map { _ = failedInputs.remove(at: $0) }
        }
        let place = failedInputs.firstIndex { $0.after > step } ?? failedInputs.endIndex
        failedInputs.insert(FailedInput(input: input, after: step, number: failureCount), at: place)
    }

    mutating func add(_ checkpoint: FlowCheckpoint) {
        // Checkpoints are found by their order.
        assert(checkpoints.last.map { $0.step <= checkpoint.step } ?? true)
        bytes += checkpoint.byteCount(since: checkpoints.last)
        checkpoints.append(checkpoint)
        time = 0
        // The first state leads to all steps and the last to the next one, so these two stay.
        while bytes > Self.memoryLimit, checkpoints.count > 2, dropEverySecond() {}
        var wanted = 64
        if let nodes = checkpoint.tree?.root.count {
            while wanted > 1, wanted * nodes > Self.mostNodes { wanted /= 2 }
        }
        stride = max(leastStride, wanted)
    }

    /// Drops every second checkpoint, except those that a reload kept, and keeps fewer from now on;
    /// false if there were none to drop.
    private mutating func dropEverySecond() -> Bool {
        let count = checkpoints.count
        var isSecond = false
        checkpoints.removeAll { checkpoint in
            defer { isSecond.toggle() }
            return isSecond && !checkpoint.isKept
        }
        guard checkpoints.count < count else { return false }
        if leastStride < Self.mostStride {
            leastStride = max(leastStride, stride) * 2
            stride = leastStride
            mostTime *= 2
        }
        countBytes()
        return true
    }

    private mutating func countBytes() {
        var before: FlowCheckpoint?
        bytes = 0
        for checkpoint in checkpoints {
            bytes += checkpoint.byteCount(since: before)
            before = checkpoint
        }
    }

    /// The last checkpoint at or before a step.
    func checkpoint(before step: Int) -> FlowCheckpoint? {
        var low = 0
        var high = checkpoints.count
        while low < high {
            let middle = (low + high) / 2
            if checkpoints[middle].step <= step { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? checkpoints[low - 1] : nil
    }

    /// Keeps the state after the last steps of `code`, if any, from which other code continues.
    mutating func keep(_ checkpoint: FlowCheckpoint, after code: LuaFlow?) {
        var checkpoint = checkpoint
        checkpoint.isKept = true
        checkpoints.removeAll { $0.isKept && $0.step == checkpoint.step }
        add(checkpoint)
        firstReplayable = min(firstReplayable, checkpoint.step)
        guard let code, checkpoint.step > (earlierCodes.last?.last ?? 0) else { return }
        earlierCodes.append(EarlierCode(flow: code, last: checkpoint.step))
        if earlierCodes.count > Self.mostEarlierCodes {
            firstReplayable = earlierCodes.removeFirst().last
        }
    }

    /// Makes the steps so far unreplayable: the code that played them is not available.
    mutating func forget() {
        revise(after: 0)
        earlierCodes = []
        firstReplayable = count + 1
    }

    /// The code that played the step after a step; `nil` for the current code.
    func earlierCode(after step: Int) -> EarlierCode? {
        earlierCodes.first { $0.last > step }
    }

    /// The last state that a reload kept at or before a step.
    func kept(before step: Int) -> FlowCheckpoint? {
        checkpoints.last { $0.isKept && $0.step <= step }
    }

    /// The state at a step, if a reload kept it.
    func kept(at step: Int) -> FlowCheckpoint? {
        checkpoint(before: step).flatMap { $0.isKept && $0.step == step ? $0 : nil }
    }

    /// Invalidates the results of looks at the steps after a step.
    mutating func revise(after step: Int) {
        revision += 1
        cuts = cuts.suffix(Self.mostCuts - 1) + [step]
    }

    /// The last step that is unchanged since a revision; `nil` if all are.
    func lastStep(since revision: Int) -> Int? {
        assert(revision <= self.revision)
        let count = self.revision - revision
        return count > cuts.count ? 0 : cuts.suffix(count).min()
    }

    /// Removes all inputs and states, before other code replays the inputs.
    mutating func restart() {
        var empty = Timeline()
        (empty.revision, empty.cuts) = (revision, cuts)
        empty.failureCount = failureCount
        self = empty
    }

    mutating func cut(after step: Int) {
        assert((0...count).contains(step))
        revise(after: step)
        inputs.removeLast(inputs.count - step)
        failedInputs.removeAll { $0.after > step }
        checkpoints.removeAll { $0.step > step }
        firstReplayable = min(firstReplayable, step)
        if let cut = earlierCodes.firstIndex(where: { $0.last > step }) {
            earlierCodes[cut].last = step
            let first = cut > 0 ? earlierCodes[cut - 1].last : 0
            earlierCodes.removeSubrange((step > first ? cut + 1 : cut)...)
        }
        countBytes()
    }
}
