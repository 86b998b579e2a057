import PlainValue
import TestSupport
import Workflow
import WorkflowKit
import WorkflowPostgreSQL
import WorkflowStore

enum StoreKind: CaseIterable {
    case sqlite, memory, postgreSQL

    /// The available kinds; see Tests/postgres.
    static var allCases: [StoreKind] {
        [.sqlite, .memory] + (PostgreSQLServer.address == nil ? [] : [.postgreSQL])
    }

    func makeStore(in folder: Folder) async throws -> any SessionStore {
        switch self {
        case .sqlite:
            try SQLiteSessionStore(path: folder.path("sessions.sqlite"), synchronization: .normal)
        case .memory: MemorySessionStore()
        case .postgreSQL: try await PostgreSQLSessionStore(PostgreSQLServer.makeDatabase())
        }
    }
}

extension SessionStore {
    /// Stores a session that begins with the snapshot 0.
    @discardableResult
    func create(_ id: String, flow: String = "diary", at milliseconds: Int = 1000) async throws
        -> SessionSummary
    {
        try await create(
            NewSession(id: id, flow: flow, document: snapshot(0), milliseconds: milliseconds))
    }

    /// Adds an input that leads to a step. Later steps are dropped.
    @discardableResult func add(
        _ step: Int, to id: String, receipts: [Receipt] = [], at milliseconds: Int = 2000
    ) async throws -> Int {
        try await append(
            SessionChange(
                keeping: step - 1, inputs: [input(step)], step: step, receipts: receipts,
                milliseconds: milliseconds), to: id, expecting: summary(of: id).version)
    }
}

/// A document in place of a snapshot.
func snapshot(_ n: Int) -> Value {
    ["workflow_snapshot": 1, "props": [:], "root": ["name": "diary", "state": ["n": .int(n)]]]
}

/// An action with a unique time.
func input(_ n: Int) -> FlowInput {
    FlowInput(.action(["type": "add", "n": .int(n)], node: "diary"), milliseconds: 1000 + n)
}
