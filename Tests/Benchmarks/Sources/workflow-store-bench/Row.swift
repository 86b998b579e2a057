struct Row {
    var name: String
    /// The times of all calls, in nanoseconds, sorted.
    var times: [Double]
    var note = ""

    var median: Double { times.isEmpty ? .nan : times[times.count / 2] }
    var slowest: Double { times.last ?? .nan }
    var perSecond: Double { Double(times.count) / times.reduce(0, +) * 1e9 }
}

let wanted = Array(CommandLine.arguments.dropFirst())

func measure(
    _ name: String, calls: Int, note: String = "", _ body: (Int) async throws -> Void
) async throws -> Row {
    guard wanted.isEmpty || wanted.contains(where: { name.contains($0) }) else {
        return Row(name: name, times: [])
    }
    let clock = ContinuousClock()
    var times: [Double] = []
    // The first calls run with cold caches.
    let warmUp = min(20, calls / 10)
    for call in 0..<(calls + warmUp) {
        let start = clock.now
        try await body(call)
        let parts = (clock.now - start).components
        if call >= warmUp {
            times.append(Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9)
        }
    }
    return Row(name: name, times: times.sorted(), note: note)
}

func table(_ title: String, _ rows: [Row]) {
    let rows = rows.filter { !$0.times.isEmpty }
    if rows.isEmpty { return }
    func left(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
    func right(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
    func time(_ nanoseconds: Double) -> String {
        nanoseconds < 1e6
            ? "\((nanoseconds / 100).rounded() / 10) µs"
            : "\((nanoseconds / 1e5).rounded() / 10) ms"
    }
    print("\n\(title)")
    print(
        right("", 44) + left("median", 12) + left("slowest", 12) + left("a second", 12) + "  goal")
    for row in rows {
        print(
            right(row.name, 44) + left(time(row.median), 12) + left(time(row.slowest), 12)
                + left("\(Int(row.perSecond.rounded()))", 12) + "  " + row.note)
    }
}
