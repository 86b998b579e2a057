import PlainValue
import WorkerKit

extension LoadedRun.State {
    /// The answer to an output that is not taken, or nil for one that may be.
    mutating func answerBeforeOutput() -> Answer? {
        if isOver { return .stopped }
        guard isFull else { return nil }
        owesRoom = true
        return .full
    }

    mutating func takeOutput() -> EncodedValue? {
        guard head < outputs.count else { return nil }
        let output = outputs[head]
        head += 1
        bytes -= output.byteCount
        if head == outputs.count {
            outputs.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64 {
            outputs.removeFirst(head)
            head = 0
        }
        return output
    }

    mutating func dropOutputs() {
        outputs = []
        head = 0
        bytes = 0
    }

    mutating func takeReader() -> Latch? {
        defer { reader = nil }
        return reader
    }

    mutating func takeWaiters() -> [Bell] {
        defer { waiters = [] }
        return waiters
    }

    /// All that waits for something that will not come any more.
    mutating func releaseAll() -> Release {
        defer {
            timers = [:]
            sleepers = [:]
        }
        return Release(
            reader: takeReader(), bells: takeWaiters() + sleepers.values,
            timers: Array(timers.values))
    }
}

/// Who is to be let go when a run ends, outside its lock.
struct Release {
    var reader: Latch?
    var bells: [Bell] = []
    var timers: [Task<Void, Never>] = []

    func perform() {
        reader?.open()
        for bell in bells { bell.ring() }
        for timer in timers { timer.cancel() }
    }
}
