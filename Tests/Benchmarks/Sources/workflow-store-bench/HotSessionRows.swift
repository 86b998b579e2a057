import GRDB
import PlainValue
import WorkflowKit
import WorkflowStore

/// Many concurrent calls of one session, alternating with bare commits of such a row.
func hotSessionRows(in folder: String) async throws -> [Row] {
    let store = try SQLiteSessionStore(path: "\(folder)/hot.sqlite")
    let session = try await StoredSession.create(of: .counter, in: store)
    let bare = try DatabasePool(path: "\(folder)/bare.sqlite")
    try await bare.writeWithoutTransaction { db in
        try db.execute(
            sql: """
                PRAGMA synchronous = FULL;
                CREATE TABLE input (session INTEGER, step INTEGER, document TEXT,
                    PRIMARY KEY (session, step)) WITHOUT ROWID;
                """)
    }
    let action: Value = ["type": "inc", "by": 1]
    let document = #"{"node":"counter","action":{"type":"inc","by":1}}"#
    var rows: [Row] = []
    for round in 0..<3 {
        rows.append(
            try await measure("a bare commit of a row", calls: 1000) { n in
                try await bare.write { db in
                    try db.execute(
                        sql: "INSERT INTO input VALUES (?, ?, ?)", arguments: [round, n, document])
                }
            })
        rows.append(
            try await measure("an action, one at a time", calls: 1000) { _ in
                try await session.send(action)
            })
        rows.append(
            try await measure("an action with a key, one at a time", calls: 1000) { n in
                try await session.send(action, key: RequestKey("\(round)-\(n)", digest: 1))
            })
        rows.append(
            try await measure(
                "6,400 actions by 64 callers", calls: 1, note: "goal ≥ 2,000 actions a second"
            ) { _ in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<64 {
                        group.addTask { for _ in 0..<100 { try await session.send(action) } }
                    }
                    try await group.waitForAll()
                }
            })
        if let last = rows.last, !last.times.isEmpty {
            rows[rows.count - 1].note += ", \(Int(6400 / last.median * 1e9))"
        }
    }
    return rows
}
