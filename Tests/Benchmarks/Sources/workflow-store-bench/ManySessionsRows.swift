import Foundation
import PlainValue
import WorkflowKit
import WorkflowStore

/// Many open sessions, each with an interpreter of its own.
func manySessionsRows(in folder: String) async throws -> [Row] {
    try await openSessionsRows() + poolRows(in: folder)
}

/// Sessions that come and go in a pool that holds a hundred.
private func poolRows(in folder: String) async throws -> [Row] {
    let store = try SQLiteSessionStore(path: "\(folder)/pool.sqlite", synchronization: .normal)
    let pool = SessionPool(in: store, limit: 100) { _, _ in (.counter, FlowOptions()) }
    func touch(_ session: Int) async throws {
        try await pool.use("\(session)") { try await $0.send(["type": "inc", "by": 1]) }
    }
    var rows: [Row] = []
    var sizes: [Int] = []
    for (name, numbers) in [("begin", 0..<10_000), ("go on with", 0..<10_000)] {
        var row = try await measure("\(name) 10,000 in a pool of 100", calls: 10_000) { call in
            try await touch(numbers.lowerBound + call % 10_000)
            if call % 2500 == 2499, let size = residentBytes() { sizes.append(size) }
        }
        row.note = sizes.map { "\($0 / 1_000_000)" }.joined(separator: ", ") + " MB"
        rows.append(row)
    }
    await pool.close()
    return rows
}

private func openSessionsRows() async throws -> [Row] {
    let count = 10_000
    var sessions: [FlowSession] = []
    let before = residentBytes()
    var opening = try await measure("open and stay, 10,000 of them", calls: count) { _ in
        sessions.append(try await FlowSession.open(.counter))
    }
    if sessions.isEmpty { return [] }
    if let before, let now = residentBytes() {
        let kilobytes = Double(now - before) / Double(sessions.count) / 1000
        opening.note = "\(kilobytes.rounded()) KB each, goal ≤ 100 KB"
    }
    let acting = try await measure("an action in one after the other", calls: count) { call in
        try await sessions[call % sessions.count].send(["type": "inc", "by": 1])
    }
    return [opening, acting]
}

/// The resident memory of this process; nil if the system does not report it.
private func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return nil
    }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
