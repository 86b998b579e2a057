import Foundation
import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowStore

@Suite struct ProcessesTests {
    private static let inputs = 25

    private static func add(_ number: Int, in folder: String) async throws {
        let store = try SQLiteSessionStore(
            path: folder + "/sessions.sqlite", synchronization: .normal)
        let session = try await StoredSession.open(
            "shared", of: .diary, in: store, options: .test())
        try Data().write(to: URL(filePath: "\(folder)/ready-\(number)"))
        while !FileManager.default.fileExists(atPath: "\(folder)/ready-\(1 - number)") {
            await Task.yield()
        }
        var n = 0
        while n < inputs {
            do {
                try await session.send(["type": "add", "n": .int(number * 1000 + n)])
                n += 1
            } catch let error as StoreError where error.code == .conflict {
                continue
            }
        }
    }

    @Test(.timeLimit(.minutes(15))) func twoProcessesLoseAndDoubleNothing() async throws {
        let folder = try Folder()
        let path = folder.path
        async let first = #expect(processExitsWith: .success) { [path = path as String] in
            try await ProcessesTests.add(0, in: path)
        }
        async let second = #expect(processExitsWith: .success) { [path = path as String] in
            try await ProcessesTests.add(1, in: path)
        }
        _ = await (first, second)
        let store = try SQLiteSessionStore(path: folder.path("sessions.sqlite"))
        let session = try await StoredSession.resume("shared", of: .diary, in: store)
        let numbers = await session.numbers
        for number in 0...1 {
            #expect(
                numbers.filter { $0 / 1000 == number }
                    == (0..<Self.inputs).map { number * 1000 + $0 })
        }
        #expect(try await store.summary(of: "shared").version == 2 * Self.inputs + 1)
    }

    @Test(.timeLimit(.minutes(15))) func aThousandSessionsAreKeptApart() async throws {
        let folder = try Folder()
        let store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
        try await withThrowingTaskGroup { group in
            for writer in 0..<8 {
                group.addTask {
                    for n in stride(from: writer, to: 1000, by: 8) {
                        let session = try await StoredSession.create(
                            "\(n)", of: .diary, in: store, options: .test())
                        try await session.send(["type": "add", "n": .int(n)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let sessions = try await store.list(limit: 2000).sessions
        #expect(sessions.count == 1000)
        #expect(sessions.allSatisfy { $0.stepCount == 1 && $0.version == 2 })
        for n in stride(from: 0, to: 1000, by: 10) {
            let session = try await StoredSession.resume(
                "\(n)", of: .diary, in: store, options: .test())
            #expect(await session.numbers == [n])
        }
    }
}
