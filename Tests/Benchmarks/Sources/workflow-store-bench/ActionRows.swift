import PlainValue
import WorkflowKit
import WorkflowStore

/// An action by itself, recorded, and kept.
func actionRows(in folder: String) async throws -> [Row] {
    let action: Value = ["type": "inc", "by": 1]
    let plain = try await FlowSession.open(.counter)
    var rows = [try await measure("in memory", calls: 5000) { _ in try await plain.send(action) }]
    for isSynced in [false, true] {
        var options = FlowOptions()
        options.journal = try FlowJournal(path: "\(folder)/\(isSynced).journal", isSynced: isSynced)
        let session = try await FlowSession.open(.counter, options: options)
        rows.append(
            try await measure(
                isSynced ? "recorded, each line on the disk" : "recorded",
                calls: isSynced ? 200 : 5000
            ) { _ in try await session.send(action) })
    }
    for synchronization in [SQLiteSessionStore.Synchronization.normal, .full] {
        let store = try SQLiteSessionStore(
            path: "\(folder)/\(synchronization).sqlite", synchronization: synchronization)
        let session = try await StoredSession.create(of: .counter, in: store)
        rows.append(
            try await measure("kept, synchronous = \(synchronization.rawValue)", calls: 1000) { _ in
                try await session.send(action)
            })
        rows.append(
            try await measure(
                "eight sessions at a time, synchronous = \(synchronization.rawValue)", calls: 10,
                note: "each call is 8 × 50 actions"
            ) { _ in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let session = try await StoredSession.create(of: .counter, in: store)
                            for _ in 0..<50 { try await session.send(action) }
                        }
                    }
                    try await group.waitForAll()
                }
            })
    }
    return rows
}
