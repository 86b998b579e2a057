import Foundation
import PlainValue
import Synchronization
import WorkflowKit
import WorkflowStore

/// Eight writers to one store until the process is killed. They note acknowledgements on paper.
/// Four have a session each, two share one to cause conflicts, and a worker advances two more.
struct Writers: Sendable {
    let folder: String
    let round: Int

    static let alone = ["alone-0", "alone-1", "alone-2", "alone-3"]
    static let followers = ["follower-0", "follower-1"]
    static let sharers = [0, 1]

    /// Kills this process at a random moment, in microseconds from the start, or from the moment
    /// when all sessions are open and as many inputs are acknowledged.
    func run(killedAfter delay: UInt32, fromStart: Bool) async throws {
        let opened = Tally()
        let killer = Thread {
            while !fromStart && min(opened.count, Paper.noted.count) < 8 { usleep(100) }
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        killer.start()
        // Half of the rounds do not wait for the disk, which is as safe if only the process ends.
        let store = try SQLiteSessionStore(
            path: folder + "/sessions.sqlite",
            synchronization: round.isMultiple(of: 2) ? .full : .normal)
        try await withThrowingTaskGroup { group in
            for id in Self.alone {
                group.addTask { try await write(alone: id, in: store) { opened.add() } }
            }
            for number in Self.sharers {
                group.addTask { try await share(number, in: store) { opened.add() } }
            }
            for id in Self.followers {
                group.addTask { try await follow(id, in: store) { opened.add() } }
            }
            try await group.waitForAll()
        }
    }

    private func write(
        alone id: String, in store: SQLiteSessionStore, _ opened: () -> Void
    ) async throws {
        let session = try await open(id, .diary, in: store)
        let paper = try Paper(folder: folder, name: id)
        opened()
        var n = await session.numbers.count
        while true {
            n += 1
            try await session.send(["type": "add", "n": .int(n)])
            paper.note(n)
            // Snapshots and dropped steps should be interrupted too.
            if n.isMultiple(of: 7) { try await undoAndRedo(session) }
        }
    }

    private func undoAndRedo(_ session: StoredSession) async throws {
        try await session.undo()
        try await session.redo()
    }

    private func share(
        _ number: Int, in store: SQLiteSessionStore, _ opened: () -> Void
    ) async throws {
        let session = try await open("shared", .diary, in: store, journal: "shared-\(number)")
        let paper = try Paper(folder: folder, name: "shared-\(number)")
        opened()
        while true {
            let n = await session.numbers.count { $0 / 1_000_000 == number } + 1
            do {
                try await session.send(["type": "add", "n": .int(number * 1_000_000 + n)])
                paper.note(number * 1_000_000 + n)
            } catch let error as StoreError where error.code == .conflict {
                continue
            }
        }
    }

    private func follow(
        _ id: String, in store: SQLiteSessionStore, _ opened: () -> Void
    ) async throws {
        let paper = try Paper(folder: folder, name: id)
        let session = try await open(id, .follower, in: store) { event in
            if case .output(let output) = event.kind { paper.note(output.int ?? 0) }
        }
        opened()
        while true {
            let count = await session.numbers.count
            try await session.send(["type": "follow", "last": .int(count + 50)])
            try await session.untilIdle()
        }
    }

    private func open(
        _ id: String, _ source: FlowSource, in store: SQLiteSessionStore, journal: String? = nil,
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        var options = try FlowOptions.test()
        options.journal = try FlowJournal(path: "\(folder)/\(journal ?? id)-\(round).journal")
        return try await .open(
            id, of: source, in: store, options: options,
            storage: StoredSessionOptions(snapshotInterval: 8), onEvent: onEvent)
    }
}

extension StoredSession {
    /// The entries of a diary or a follower.
    var numbers: [Int] { rendering["entries"]?.list?.compactMap(\.int) ?? [] }
}

private final class Tally: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add() { number.add(1, ordering: .relaxed) }
}

/// A file of numbers. Each is with the system when the call returns.
final class Paper: Sendable {
    fileprivate static let noted = Tally()

    private let file: Int32

    init(folder: String, name: String) throws {
        file = Foundation.open(
            "\(folder)/\(name).acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(file) }

    func note(_ n: Int) {
        let line = Array("\(n)\n".utf8)
        _ = line.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
        Self.noted.add()
    }

    /// The numbers in the file with a name; none if it does not exist.
    static func numbers(folder: String, name: String) -> [Int] {
        let text = try? String(contentsOfFile: "\(folder)/\(name).acknowledged", encoding: .utf8)
        return text?.split(separator: "\n").compactMap { Int($0) } ?? []
    }
}
