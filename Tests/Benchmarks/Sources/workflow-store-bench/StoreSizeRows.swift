import Foundation
import PlainValue
import WorkflowKit
import WorkflowStore

/// The bytes that an action takes, and pages of many sessions.
func storeSizeRows(in folder: String) async throws -> [Row] {
    var rows = try await sizeRows(in: folder)
    let path = "\(folder)/many.sqlite"
    let store = try SQLiteSessionStore(path: path, synchronization: .normal)
    let count = 100_000
    let making = try await measure("make one of 100,000 sessions, 64 at a time", calls: 1) { _ in
        try await withThrowingTaskGroup { group in
            for part in 0..<64 {
                group.addTask {
                    for n in stride(from: part, to: count, by: 64) {
                        _ = try await store.create(
                            NewSession(
                                id: "session-\(n)", flow: "flow-\(n % 10)",
                                document: ["flow": "counter", "nodes": []],
                                wakeAt: n.isMultiple(of: 2) ? n : nil, milliseconds: n))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
    if making.times.isEmpty { return rows }
    for flow in [nil, "flow-3"] {
        var after: String?
        rows.append(
            try await measure(
                "a page of 100 of \(flow == nil ? "100,000" : "one flow's 10,000") sessions",
                calls: 99, note: "goal < 10 ms"
            ) { _ in after = try await store.list(flow: flow, after: after, limit: 100).next })
    }
    rows.append(
        try await measure("50,000 wake-ups", calls: 10) { _ in _ = try await store.wakeUps() })
    return rows
}

private func sizeRows(in folder: String) async throws -> [Row] {
    let path = "\(folder)/size.sqlite"
    let store = try SQLiteSessionStore(path: path, synchronization: .normal)
    let (sessions, actions) = (10, 10_000)
    var row = try await measure("10,000 actions with keys in each of 10 sessions", calls: 1) { _ in
        try await withThrowingTaskGroup { group in
            for _ in 0..<sessions {
                group.addTask {
                    let session = try await StoredSession.create(of: .counter, in: store)
                    for _ in 0..<actions {
                        let key = RequestKey(UUID().uuidString.lowercased(), digest: .max)
                        try await session.send(["type": "add", "by": 1, "text": "milk"], key: key)
                    }
                    try await session.close()
                }
            }
            try await group.waitForAll()
        }
    }
    if row.times.isEmpty { return [] }
    try store.close()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    row.note = "\(size / sessions / actions) bytes an action, goal ≤ 150"
    return [row]
}
