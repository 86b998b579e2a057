/// A task that sleeps. `@unchecked Sendable` because it changes only while the lock of its
/// ``Sleepers`` is held, and not after it has left their heap.
package final class Sleeper<Instant: InstantProtocol>: @unchecked Sendable {
    package let deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>?
    fileprivate var number = 0
    /// The index in the heap; `nil` outside of it.
    fileprivate var index: Int?

    package init(until deadline: Instant) { self.deadline = deadline }

    fileprivate static func < (one: Sleeper, other: Sleeper) -> Bool {
        (one.deadline, one.number) < (other.deadline, other.number)
    }
}

/// A binary heap in which each sleeper knows its index, so that any can be removed at once. The
/// first one has the earliest deadline. Sleepers with one deadline keep their order.
package struct SleeperHeap<Instant: InstantProtocol> {
    private var sleepers: [Sleeper<Instant>] = []
    private var inserted = 0

    package init() {}

    package var count: Int { sleepers.count }

    package var first: Sleeper<Instant>? { sleepers.first }

    package mutating func insert(_ sleeper: Sleeper<Instant>) {
        assert(sleeper.index == nil)
        inserted += 1
        sleeper.number = inserted
        sleepers.append(sleeper)
        rise(sleeper, from: sleepers.count - 1)
    }

    @discardableResult
    package mutating func remove(_ sleeper: Sleeper<Instant>) -> Bool {
        guard let index = sleeper.index else { return false }
        assert(sleepers[index] === sleeper)
        sleeper.index = nil
        let last = sleepers.removeLast()
        if last !== sleeper {
            // Only one of these moves it.
            rise(last, from: index)
            sink(last, from: last.index ?? index)
        }
        return true
    }

    private mutating func rise(_ sleeper: Sleeper<Instant>, from index: Int) {
        var index = index
        while index > 0, sleeper < sleepers[(index - 1) / 2] {
            place(sleepers[(index - 1) / 2], at: index)
            index = (index - 1) / 2
        }
        place(sleeper, at: index)
    }

    private mutating func sink(_ sleeper: Sleeper<Instant>, from index: Int) {
        var index = index
        while true {
            var child = 2 * index + 1
            guard child < sleepers.count else { break }
            if child + 1 < sleepers.count, sleepers[child + 1] < sleepers[child] { child += 1 }
            guard sleepers[child] < sleeper else { break }
            place(sleepers[child], at: index)
            index = child
        }
        place(sleeper, at: index)
    }

    private mutating func place(_ sleeper: Sleeper<Instant>, at index: Int) {
        sleepers[index] = sleeper
        sleeper.index = index
    }
}
