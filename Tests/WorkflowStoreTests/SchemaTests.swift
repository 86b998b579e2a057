import GRDB
import PlainValue
import TestSupport
import Testing
import WorkflowKit

@testable import WorkflowStore

@Suite struct SchemaTests {
    private let folder: Folder
    private var path: String { folder.path("sessions.sqlite") }

    init() throws { folder = try Folder() }

    /// A store made by version 1, with a session of two inputs.
    private func makeVersion1() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA auto_vacuum = INCREMENTAL;
                    PRAGMA application_id = \(StoreFile.applicationID);
                    """)
        }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in try db.execute(sql: Schema.version1) }
        try migrator.migrate(queue)
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO session VALUES (1, 'a', 'diary', 3, 2, 2, 1000, 2000);
                    INSERT INTO snapshot VALUES (1, 0, '\(snapshot(0).json)');
                    INSERT INTO input VALUES (1, 1, '\(input(1).document.json)');
                    INSERT INTO input VALUES (1, 2, '\(input(2).document.json)');
                    """)
        }
        try queue.close()
    }

    @Test func aStoreOfVersion1GoesOn() async throws {
        try makeVersion1()
        let store = try SQLiteSessionStore(path: path)
        try await store.add(3, to: "a", receipts: [Receipt(key: "k", digest: 1, step: 3)])
        let contents = try await store.load("a")
        #expect(contents.inputs == [input(1), input(2), input(3)])
        #expect(contents.summary.version == 4)
        #expect(contents.summary.code == nil)
        #expect(contents.summary.wakeAt == nil)
        #expect(contents.summary.created == 1000)
        #expect(try await store.receipt("k", of: "a")?.step == 3)
        #expect(try await store.check() == [])
    }

    @Test func whatIsOftenAskedIsAnsweredByAnIndex() async throws {
        let store = try SQLiteSessionStore(path: path)
        func plan(_ sql: String) async throws -> [String] {
            try await store.read { db in
                try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN " + sql.replacing("?", with: "1")
                ).map { $0["detail"] }
            }
        }
        let all = try await plan(SQLiteSessionStore.page(ofFlow: false))
        #expect(all.first == "SEARCH session USING INTEGER PRIMARY KEY (rowid<?)")
        let some = try await plan(SQLiteSessionStore.page(ofFlow: true))
        #expect(some.first == "SEARCH session USING INDEX session_flow (flow=? AND rowid<?)")
        #expect((all + some).allSatisfy { !$0.contains("TEMP B-TREE") && !$0.contains("SCAN") })
        #expect(
            try await plan(SQLiteSessionStore.wakeUps)
                == ["SCAN session USING COVERING INDEX session_wake_at"])
        #expect(
            try await plan(SQLiteSessionStore.wakeUps + " AND partition = ?")
                == [
                    "SEARCH session USING COVERING INDEX session_wake_at (partition=? AND wake_at>?)"
                ])
    }
}
