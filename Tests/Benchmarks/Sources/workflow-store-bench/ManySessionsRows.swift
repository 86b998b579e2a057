import Foundation
import PlainValue
import WorkflowKit

/// Many sessions that are open at the same time, each of which has its own interpreter.
func manySessionsRows() async throws -> [Row] {
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

/// The memory that this process has in use; nil where the system does not tell.
private func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return nil
    }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
