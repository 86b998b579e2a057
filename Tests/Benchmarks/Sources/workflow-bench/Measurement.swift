import CAllocationCount

/// The cost of one shape: the best of several batches, since a shared machine only ever adds time.
struct Measurement {
    var name: String
    var nanoseconds: Double
    var allocations: Double
    var note = ""
}

/// True if a valgrind around this program counts instructions, as instructions.py has it.
let isCounted = CommandLine.arguments.last == "--counted"

/// The words of the command line, or the lines of the input if instructions are counted: only
/// shapes whose names contain one of them are measured.
let wanted =
    isCounted ? Array(AnyIterator { readLine() }) : Array(CommandLine.arguments.dropFirst())

func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains { name.contains($0) } }

/// True if a shape is to be timed. One whose instructions are counted runs here instead: a batch to
/// fill caches, and one between two calls of `allocation_count`, at which valgrind notes the count.
private func isTimed(_ name: String, _ calls: Int, _ body: () -> Void) -> Bool {
    guard isWanted(name), isCounted else { return isWanted(name) }
    for _ in 0..<calls { body() }
    _ = allocation_count()
    for _ in 0..<calls { body() }
    _ = allocation_count()
    print(calls, name)
    return false
}

/// Runs `body` in batches and keeps the fastest; allocations are those of that batch, a call.
func measure(
    _ name: String, note: String = "", batches: Int = 15, calls: Int = 2000, _ body: () -> Void
) -> Measurement {
    guard isTimed(name, min(calls, 100), body) else {
        return Measurement(name: name, nanoseconds: .nan, allocations: 0)
    }
    for _ in 0..<min(calls, 200) { body() }
    var best = Measurement(name: name, nanoseconds: .infinity, allocations: 0, note: note)
    for _ in 0..<batches { best.take(calls, body) }
    return best
}

/// Alternates two pieces of work in many short batches, so that both meet the same conditions.
func compare(
    _ name: String, goal: Double, calls: Int, floor: () -> Void, ours: () -> Void
) -> Comparison {
    var first = Measurement(name: name, nanoseconds: .infinity, allocations: 0)
    var second = first
    guard isTimed(name, min(calls, 100), ours) else {
        first.nanoseconds = .nan
        return Comparison(name: name, floor: first, ours: first, goal: goal)
    }
    for batch in 0..<60 {
        first.take(calls, floor)
        second.take(calls, ours)
        if batch == 4 {
            first.nanoseconds = .infinity
            second.nanoseconds = .infinity
        }
    }
    return Comparison(name: name, floor: first, ours: second, goal: goal)
}

extension Measurement {
    fileprivate mutating func take(_ calls: Int, _ body: () -> Void) {
        let clock = ContinuousClock()
        let before = allocation_count()
        let start = clock.now
        for _ in 0..<calls { body() }
        let elapsed = clock.now - start
        let allocations = Double(allocation_count() - before) / Double(calls)
        let nanoseconds = elapsed / .nanoseconds(1) / Double(calls)
        guard nanoseconds < self.nanoseconds else { return }
        self.nanoseconds = nanoseconds
        self.allocations = allocations
    }
}
