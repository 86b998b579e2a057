import CAllocationCount

/// What one shape cost: the best of several batches, since a shared machine only ever adds time.
struct Measurement {
    var name: String
    var nanoseconds: Double
    var allocations: Double
    var note = ""
}

/// The words of the command line: only shapes whose names contain one of them are measured.
let wanted = Array(CommandLine.arguments.dropFirst())

/// Runs `body` in batches and keeps the fastest; allocations are those of that batch, a call.
func measure(
    _ name: String, note: String = "", batches: Int = 15, calls: Int = 2000, _ body: () -> Void
) -> Measurement {
    guard wanted.isEmpty || wanted.contains(where: { name.contains($0) }) else {
        return Measurement(name: name, nanoseconds: .nan, allocations: 0)
    }
    for _ in 0..<min(calls, 200) { body() }
    var best = Measurement(name: name, nanoseconds: .infinity, allocations: 0, note: note)
    let clock = ContinuousClock()
    for _ in 0..<batches {
        let before = allocation_count()
        let start = clock.now
        for _ in 0..<calls { body() }
        let elapsed = clock.now - start
        let allocations = Double(allocation_count() - before) / Double(calls)
        let parts = elapsed.components
        let nanoseconds =
            (Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9) / Double(calls)
        if nanoseconds < best.nanoseconds {
            best.nanoseconds = nanoseconds
            best.allocations = allocations
        }
    }
    return best
}
