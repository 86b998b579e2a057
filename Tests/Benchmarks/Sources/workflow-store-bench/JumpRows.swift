import PlainValue
import WorkflowKit

/// Going to any step of a long log.
func jumpRows() async throws -> [Row] {
    var rows: [Row] = []
    for (source, name) in [
        (FlowSource.counter, "a small state"), (.list, "a state of 1,000 values"),
    ] {
        guard wanted.isEmpty || wanted.contains(where: { "go to any step, \(name)".contains($0) })
        else { continue }
        let session = try await FlowSession.open(
            source, options: FlowOptions(props: ["count": 1000]))
        for step in 1...100_000 {
            try await session.send(
                [
                    "type": name == "a small state" ? "inc" : "set", "by": 1,
                    "index": .int(step % 1000 + 1), "value": .int(step),
                ])
        }
        var random = SystemRandomNumberGenerator()
        rows.append(
            try await measure("go to any step, \(name)", calls: 300, note: "< 50 ms") { _ in
                try await session.go(to: Int.random(in: 0...100_000, using: &random))
            })
        rows.append(
            try await measure("one step back, \(name)", calls: 300, note: "< 50 ms") { _ in
                if await session.step == 0 { try await session.go(to: 50_000) }
                try await session.undo()
            })
    }
    return rows
}
