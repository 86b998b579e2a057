import PlainValue
import WorkflowKit
import WorkflowStore

func openingRows(in folder: String) async throws -> [Row] {
    let store = try SQLiteSessionStore(path: "\(folder)/opening.sqlite", synchronization: .normal)
    let session = try await StoredSession.create("a", of: .counter, in: store)
    for _ in 0..<63 { try await session.send(["type": "inc", "by": 1]) }
    let closed = try await StoredSession.create("b", of: .counter, in: store)
    for _ in 0..<63 { try await closed.send(["type": "inc", "by": 1]) }
    try await closed.close()
    return [
        try await measure("begin, in memory", calls: 300) { _ in
            _ = try await FlowSession.open(.counter)
        },
        try await measure("begin, kept, synchronous = NORMAL", calls: 300) { _ in
            _ = try await StoredSession.create(of: .counter, in: store)
        },
        try await measure("go on from a snapshot", calls: 300) { _ in
            _ = try await StoredSession.resume("b", of: .counter, in: store)
        },
        try await measure("go on from a snapshot and 63 inputs", calls: 300) { _ in
            _ = try await StoredSession.resume("a", of: .counter, in: store)
        },
    ]
}
