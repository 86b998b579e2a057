import Foundation
import GRDB
import PlainValue
import TestSupport
import Testing
import WorkflowStore

@Suite struct StoreFileTests {
    private let folder: Folder
    private var path: String { folder.path("sessions.sqlite") }

    init() throws { folder = try Folder() }

    private func failure() -> StoreError? {
        do {
            _ = try SQLiteSessionStore(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "", "short", String(repeating: "some text ", count: 100),
        "SQLite format 3\0" + String(repeating: "x", count: 2000),
    ]) func aForeignFileIsNotTouched(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        let before = try folder.contents()
        let error = failure()
        #expect(error?.code == .foreign)
        #expect(error?.message == "\(path) is not a store of sessions")
        #expect(error?.help == "give the path of a store, or of a file that is not there yet")
        #expect(try folder.contents() == before)
    }

    @Test func aDatabaseOfAnotherProgramIsNotTouched() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE session (id TEXT)") }
        try queue.close()
        let before = try folder.contents()
        #expect(failure()?.code == .foreign)
        #expect(try folder.contents() == before)
    }

    @Test func aNewerStoreIsNotTouched() throws {
        try SQLiteSessionStore(path: path).close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('1000')") }
        try queue.close()
        let before = try folder.contents()["sessions.sqlite"]
        let error = failure()
        #expect(error?.code == .newer)
        #expect(error?.message == "\(path) was made by a newer version of this library")
        #expect(error?.help == "use that version, or another file")
        #expect(try folder.contents()["sessions.sqlite"] == before)
    }

    @Test func aDamagedStoreIsNotTouched() throws {
        try SQLiteSessionStore(path: path).close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        for index in 100..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: URL(filePath: path))
        let error = failure()
        #expect(error?.code == .corrupted)
        #expect(error?.message == "\(path) is damaged: database disk image is malformed")
        #expect(error?.help == "restore it from a copy")
        #expect(try folder.contents()["sessions.sqlite"] == bytes)
    }

    @Test func aStoreThatWasCutShortIsNotTouched() throws {
        try SQLiteSessionStore(path: path).close()
        let bytes = try Data(contentsOf: URL(filePath: path)).prefix(6000)
        try bytes.write(to: URL(filePath: path))
        #expect(failure()?.code == .corrupted)
        #expect(try folder.contents()["sessions.sqlite"] == Data(bytes))
    }

    @Test func aStoreThatCannotBeMadeSaysWhy() throws {
        let missing = folder.path("missing/sessions.sqlite")
        let error = #expect(throws: StoreError.self) { try SQLiteSessionStore(path: missing) }
        #expect(error?.code == .io)
        #expect(error?.message == "\(missing) cannot be opened: unable to open database file")
        let isFolder = #expect(throws: StoreError.self) {
            try SQLiteSessionStore(path: folder.path)
        }
        #expect(isFolder?.message == "\(folder.path) cannot be opened: Is a directory")
    }

    @Test func onlyTheStoreIsLeftWhenItIsMadeAndClosed() throws {
        try SQLiteSessionStore(path: path).close()
        #expect(try folder.contents().keys.sorted() == ["sessions.sqlite"])
    }

    @Test func onlyTheStoreIsLeftAfterItWasReadAndWrittenAndAHostHasBeaten() async throws {
        let store = try SQLiteSessionStore(path: path, synchronization: .normal)
        _ = try await store.beat()
        _ = try await store.create("a")
        _ = try await store.load("a")
        try await store.leave()
        try store.close()
        #expect(try folder.contents().keys.sorted() == ["sessions.sqlite"])
    }

    @Test func severalMayMakeAStoreAtATime() async throws {
        let path = path
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let store = try SQLiteSessionStore(path: path, synchronization: .normal)
                    _ = try await store.create(
                        NewSession(
                            id: "\(number)", flow: "f", document: ["root": ["name": "f"]],
                            milliseconds: 0))
                }
            }
            try await group.waitForAll()
        }
        let store = try SQLiteSessionStore(path: path)
        #expect(try await store.list().sessions.count == 8)
        #expect(try folder.contents().keys.filter { $0.contains(".new-") } == [])
    }

    @Test func aStoreWhoseFileIsGoneOrAnotherOneSaysSo() async throws {
        let store = try SQLiteSessionStore(path: path, synchronization: .normal)
        _ = try await store.create("a")
        func failures() async -> [StoreError] {
            let creating = await #expect(throws: StoreError.self) { try await store.create("b") }
            let loading = await #expect(throws: StoreError.self) { try await store.load("a") }
            return [creating, loading].compactMap(\.self)
        }
        let away = folder.path("away.sqlite")
        #expect(rename(path, away) == 0)
        #expect(await failures().map(\.code) == [.io, .io])
        #expect(
            await failures().first?.message
                == "\(path) cannot be opened: No such file or directory")
        let other = folder.path("other.sqlite")
        try SQLiteSessionStore(path: other, synchronization: .normal).close()
        #expect(rename(other, path) == 0)
        #expect(await failures().map(\.code) == [.io, .io])
        #expect(await failures().last?.message == "\(path) was replaced while it was in use")

        #expect(rename(away, path) == 0)
        #expect(try await store.load("a").summary.id == "a")
        _ = try await store.create("c")
        #expect(try await store.list().sessions.map(\.id).sorted() == ["a", "c"])
    }

    @Test func aFileBesideTheStoreThatIsGoneIsNoticedAndNothingIsLostByIt() async throws {
        for suffix in ["-wal", "-shm"] {
            let path = folder.path("with\(suffix).sqlite")
            let store = try SQLiteSessionStore(path: path, synchronization: .normal)
            _ = try await store.create("a")
            _ = try await store.load("a")
            #expect(store.trouble == nil)
            #expect(unlink(path + suffix) == 0)
            #expect(store.trouble?.code == .io)
            let creating = await #expect(throws: StoreError.self) { try await store.create("b") }
            #expect(
                creating?.message == "\(path)\(suffix) cannot be opened: No such file or directory")
            await #expect(throws: StoreError.self) { try await store.load("a") }
            await #expect(throws: StoreError.self) { try await store.beat() }
            try store.close()
            let again = try SQLiteSessionStore(path: path, synchronization: .normal)
            #expect(try await again.list().sessions.map(\.id) == ["a"])
        }
    }

    @Test func aCopyOfAStoreThatIsInUseIsAStoreWithWhatWasThere() async throws {
        let store = try SQLiteSessionStore(path: path, synchronization: .normal)
        for number in 0..<10 { _ = try await store.create("\(number)") }
        let copy = folder.path("copy.sqlite")
        let reader = try SQLiteSessionStore(reading: path)
        try await reader.backup(to: copy)
        try reader.close()
        _ = try await store.create("later")
        let copied = try SQLiteSessionStore(path: copy, synchronization: .normal)
        #expect(try await copied.list().sessions.count == 10)
        #expect(try await copied.check() == [])
        try await copied.add(1, to: "0")
        try await copied.delete("1")
        let error = await #expect(throws: StoreError.self) { try await store.backup(to: copy) }
        #expect(error?.code == .exists)
        #expect(error?.message == "there is a file \(copy) already")
        let missing = await #expect(throws: StoreError.self) {
            try await store.backup(to: folder.path("missing/copy.sqlite"))
        }
        #expect(missing?.code == .io)
        #expect(try folder.contents().keys.filter { $0.contains(".new-") } == [])
    }
}
