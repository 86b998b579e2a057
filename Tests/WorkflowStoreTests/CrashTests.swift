import Foundation
import TestSupport
import Testing
import WorkflowKit
import WorkflowStore

/// Processes are killed while they write, a few times or as often as `WORKFLOW_STORE_KILLS` says.
@Suite(.serialized) struct CrashTests {
    private static let kills =
        ProcessInfo.processInfo.environment["WORKFLOW_STORE_KILLS"].flatMap { Int($0) } ?? 12

    @Test(.timeLimit(.minutes(60)))
    func afterAKillAllAcknowledgedInputsAreThereAndNoneTwice() async throws {
        var random = SeededNumbers.printed()
        var folder = try Folder()
        var acknowledged = 0
        var journals = 0
        for round in 1...Self.kills {
            // Sometimes a new store, because creating one can be interrupted too.
            if round % 20 == 1 {
                acknowledged += try count(in: folder)
                folder = try Folder()
            }
            let fromStart = round % 4 == 1
            let delay = UInt32.random(in: 0...(fromStart ? 200_000 : 100_000), using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = folder.path as String, round = round as Int, delay = delay as UInt32,
                    fromStart = fromStart as Bool
                ] in
                try await Writers(folder: path, round: round)
                    .run(killedAfter: delay, fromStart: fromStart)
            }
            try await checkStore(in: folder)
            journals += try await checkJournals(of: round, in: folder)
        }
        acknowledged += try count(in: folder)
        print("\(Self.kills) kills, \(acknowledged) acknowledged inputs, \(journals) journals")
        #expect(acknowledged > Self.kills)
        #expect(journals > Self.kills)
    }

    private func count(in folder: Folder) throws -> Int {
        try folder.contents().keys.filter { $0.hasSuffix(".acknowledged") }
            .reduce(0) { count, name in
                count
                    + Paper.numbers(
                        folder: folder.path, name: String(name.dropLast(".acknowledged".count))
                    ).count
            }
    }

    private func checkStore(in folder: Folder) async throws {
        let store = try SQLiteSessionStore(path: folder.path("sessions.sqlite"))
        #expect(try await store.check() == [])
        let known = Set(try await store.list().sessions.map(\.id))
        func numbers(_ id: String, _ source: FlowSource) async throws -> [Int] {
            guard known.contains(id) else { return [] }
            var options = try FlowOptions.test()
            options.runsWorkers = false
            let session = try await StoredSession.resume(
                id, of: source, in: store, options: options)
            // An undo may have been stored without the redo.
            try await session.go(to: session.stepCount)
            return await session.numbers
        }
        for id in Writers.alone {
            let kept = try await numbers(id, .diary)
            let acknowledged = Paper.numbers(folder: folder.path, name: id)
            // At most the input that was being stored is there unacknowledged.
            #expect(kept == Array(1..<(kept.count + 1)))
            #expect(kept.count >= acknowledged.last ?? 0)
            #expect(Set(acknowledged).count == acknowledged.count)
        }
        for id in Writers.followers {
            let kept = try await numbers(id, .follower)
            #expect(kept == Array(1..<(kept.count + 1)))
            #expect(kept.count >= Paper.numbers(folder: folder.path, name: id).last ?? 0)
        }
        let shared = try await numbers("shared", .diary)
        for number in Writers.sharers {
            let kept = shared.filter { $0 / 1_000_000 == number }.map { $0 % 1_000_000 }
            let acknowledged = Paper.numbers(folder: folder.path, name: "shared-\(number)")
            #expect(kept == Array(1..<(kept.count + 1)))
            #expect(kept.count >= (acknowledged.last ?? 0) % 1_000_000)
        }
        // Its files beside the store are removed now, not while the folder is inspected.
        try store.close()
    }

    /// Reads every journal with a first line. Returns their number.
    private func checkJournals(of round: Int, in folder: Folder) async throws -> Int {
        let names = try folder.contents().filter { name, bytes in
            name.hasSuffix("-\(round).journal") && bytes.contains(UInt8(ascii: "\n"))
        }.keys
        for name in names {
            let recording = try FlowRecording(path: folder.path(name))
            guard round.isMultiple(of: 5) else { continue }
            let session = try await recording.makeSession(
                of: name.hasPrefix("follower") ? .follower : .diary, options: .test())
            let differences = try await recording.replay(in: session)
            // The result of the last input may be missing.
            #expect(differences.allSatisfy { $0.step == recording.steps.count })
        }
        return names.count
    }
}
