import LuaVM
import PlainValue
import WorkflowKit

func snapshotRows() async throws -> [Row] {
    var rows: [Row] = []
    for (count, name) in [(10, "10"), (1000, "1,000"), (100_000, "100,000")] {
        var options = FlowOptions(props: ["count": .int(count)])
        options.limits.timeLimit = .seconds(10)
        let session = try await FlowSession.open(.list, options: options)
        let calls = count > 1000 ? 20 : 300
        rows.append(
            try await measure("make, \(name) values", calls: calls) { _ in
                _ = try await session.snapshot()
            })
        let snapshot = try await session.snapshot()
        rows.append(
            try await measure("write as JSON, \(name) values", calls: calls) { _ in
                _ = snapshot.json
            })
        let text = snapshot.json
        rows.append(
            try await measure("read from JSON and go on, \(name) values", calls: calls) { _ in
                let snapshot = try FlowSnapshot(json: text.utf8)
                _ = try await FlowSession.open(.list, options: options, restoring: snapshot)
            })
    }
    return rows
}
