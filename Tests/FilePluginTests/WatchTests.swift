import Foundation
import PlainValue
import PluginStage
import Synchronization
import TestSupport
import Testing
import WorkerKit

@testable import FilePlugin

private final class Watch: Sendable {
    private let gate = TestClock(.stepped)
    private let run: Task<Void, any Error>
    private let outputs: AsyncStream<Value>
    private let log = Log()

    var lines: [String] { log.lines.withLock { $0 } }

    private final class Log: Sendable { let lines = Mutex<[String]>([]) }

    init(_ path: String, in scene: Folder) async throws {
        let (outputs, continuation) = AsyncStream<Value>.makeStream()
        let started = AsyncStream<Void>.makeStream()
        self.outputs = outputs
        let logger = WorkerLogger { [log] _, text in
            log.lines.withLock { $0.append(text) }
            if text == "watching \(path)" { started.continuation.yield() }
        }
        let context = WorkerContext(log: logger, clock: gate, grants: try scene.grants("file=data"))
        let worker = try FilePlugin.plugin.worker("file.watch")
        run = Task {
            defer {
                continuation.finish()
                started.continuation.finish()
            }
            try await worker.run(
                ["path": .string(path)], context: context,
                outputs: WorkerEmitter { continuation.yield($0) })
        }
        for await _ in started.stream { return }
        try await run.value
    }

    /// Makes a burst of changes and returns the next `count` outputs of the watch.
    func told(_ count: Int, after burst: () throws -> Void) async throws -> [Value] {
        try burst()
        gate.open()
        var told: [Value] = []
        for await output in outputs {
            told.append(output)
            if told.count == count { break }
        }
        return told
    }

    func end() async -> [Value] {
        run.cancel()
        var told: [Value] = []
        for await output in outputs { told.append(output) }
        return told
    }

    func ended() async throws { try await run.value }
}

@Suite(.timeLimit(.minutes(15))) struct WatchTests {
    private func change(_ event: String, _ path: String, from: String? = nil) -> Value {
        var fields: Value.Record = ["event": .string(event), "path": .string(path)]
        if let from { fields["from"] = .string(from) }
        return .record(fields)
    }

    @Test func aFolderTellsWhatBecomesOfItsFiles() async throws {
        let scene = try Folder.withData()
        for name in ["changed", "gone", "old"] { try scene.write("1", to: "data/\(name)") }
        let watch = try await Watch("data", in: scene)
        let told = try await watch.told(4) {
            try scene.write("1", to: "data/new")
            try scene.write("22", to: "data/changed")
            try scene.remove("data/gone")
            try scene.move("data/old", to: "data/young")
        }
        #expect(
            told == [
                change("modified", "data/changed"), change("removed", "data/gone"),
                change("created", "data/new"), change("renamed", "data/young", from: "data/old"),
            ])
        #expect(await watch.end() == [])
    }

    @Test func aBurstOfChangesIsToldOnce() async throws {
        let scene = try Folder.withData()
        try scene.write("", to: "data/a")
        let watch = try await Watch("data", in: scene)
        let told = try await watch.told(2) {
            for number in 0..<100 {
                try scene.write("\(number)", to: "data/a")
                try scene.write("\(number)", to: "data/b")
                try scene.write("", to: "data/short-lived")
                try scene.remove("data/short-lived")
            }
        }
        #expect(told == [change("modified", "data/a"), change("created", "data/b")])
        #expect(await watch.end() == [])
    }

    @Test func aFileIsWatchedThroughItsReplacements() async throws {
        let scene = try Folder.withData()
        try scene.write("0", to: "data/a")
        let watch = try await Watch("data/a", in: scene)
        for number in 1...3 {
            let told = try await watch.told(1) {
                try scene.write("\(number)", to: "data/.a.swp")
                try scene.move("data/.a.swp", to: "data/a")
            }
            #expect(told == [change("modified", "data/a")])
        }
        let told = try await watch.told(1) {
            try scene.move("data/a", to: "data/a~")
            try scene.write("4", to: "data/a")
            try scene.remove("data/a~")
        }
        #expect(told == [change("modified", "data/a")])
        #expect(
            try await watch.told(1) { try scene.remove("data/a") } == [change("removed", "data/a")])
        #expect(
            try await watch.told(1) { try scene.write("5", to: "data/a") } == [
                change("created", "data/a")
            ])
        #expect(await watch.end() == [])
    }

    @Test(arguments: [
        ("data/a", "data/a", "two/file"), ("data/current/file", "data/current", "two"),
    ])
    func aLinkThatIsReplacedIsFollowedWhereverItStandsOnTheWay(
        path: String, link: String, target: String
    ) async throws {
        let scene = try Folder.withData()
        for name in ["one", "two"] {
            try scene.makeFolder("data/\(name)")
            try scene.write(name, to: "data/\(name)/file")
        }
        try scene.link(link, to: target.replacing("two", with: "one"))
        let watch = try await Watch(path, in: scene)
        #expect(
            try await watch.told(1) {
                try scene.link("data/new", to: target)
                try scene.move("data/new", to: link)
            } == [change("modified", path)])
        #expect(
            try await watch.told(1) { try scene.write("2", to: "data/two/file") } == [
                change("modified", path)
            ])
        #expect(
            try await watch.told(1) { try scene.remove("data/two/file") } == [
                change("removed", path)
            ])
        #expect(await watch.end() == [])
    }

    @Test func aFolderBehindALinkIsComparedWithTheOneBefore() async throws {
        let scene = try Folder.withData()
        for (name, files) in [("one", ["a", "b"]), ("two", ["b", "c"])] {
            try scene.makeFolder("data/\(name)")
            for file in files { try scene.write(name, to: "data/\(name)/\(file)") }
        }
        try scene.link("data/current", to: "one")
        let watch = try await Watch("data/current", in: scene)
        let told = try await watch.told(3) {
            try scene.link("data/new", to: "two")
            try scene.move("data/new", to: "data/current")
        }
        #expect(
            told == [
                change("removed", "data/current/a"), change("modified", "data/current/b"),
                change("created", "data/current/c"),
            ])
        #expect(await watch.end() == [])
    }

    @Test func aLinkThatLeadsOutOfWhatIsGrantedEndsTheWatch() async throws {
        let scene = try Folder.withData()
        try scene.write("1", to: "data/one")
        try scene.write("2", to: "two")
        try scene.link("data/a", to: "one")
        let watch = try await Watch("data/a", in: scene)
        try scene.link("data/new", to: "../two")
        try scene.move("data/new", to: "data/a")
        let error = await #expect(throws: WorkerError.self) {
            _ = try await watch.told(1) {}
            try await watch.ended()
        }
        #expect(error?.code == "not_granted")
    }

    @Test func aFileThatIsNotThereYetIsWatchedToo() async throws {
        let scene = try Folder.withData()
        let watch = try await Watch("data/a", in: scene)
        let told = try await watch.told(1) {
            try scene.write("", to: "data/b")
            try scene.write("", to: "data/a")
        }
        #expect(told == [change("created", "data/a")])
    }

    @Test func aWriteThatLeavesSizeAndTimeIsTold() async throws {
        let scene = try Folder.withData()
        try scene.write("1", to: "data/a")
        let date = Date(timeIntervalSince1970: 1_000_000)
        let setDate = {
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: scene.path("data/a"))
        }
        try setDate()
        let watch = try await Watch("data", in: scene)
        let told = try await watch.told(1) {
            let file = try FileHandle(forWritingTo: URL(filePath: scene.path("data/a")))
            try file.write(contentsOf: Data("2".utf8))
            try file.close()
            try setDate()
        }
        #expect(told == [change("modified", "data/a")])
    }

    @Test func theRemovalOfTheFolderEndsTheWatch() async throws {
        let scene = try Folder.withData()
        try scene.makeFolder("data/inner")
        let folder = try await Watch("data/inner", in: scene)
        #expect(
            try await folder.told(1) { try scene.remove("data/inner") } == [
                change("removed", "data/inner")
            ])
        try await folder.ended()
    }

    @Test func anotherPlaceOfTheFolderEndsTheWatch() async throws {
        let scene = try Folder.withData()
        try scene.makeFolder("data/inner")
        try scene.write("", to: "data/inner/a")
        let file = try await Watch("data/inner/a", in: scene)
        let told = try await file.told(1) {
            try scene.move("data/inner", to: "elsewhere")
            try scene.write("secret", to: "elsewhere/a")
        }
        #expect(told == [change("removed", "data/inner/a")])
        try await file.ended()
    }

    @Test func aFolderThatIsNotThereCannotBeWatched() async throws {
        #expect(
            try await Folder.withData().failure("file.watch", ["path": "data/none/a"])
                == WorkerError("not_found", "there is no 'data/none/a'"))
    }

    // MARK: Events of the system

    @Test func anOverflowIsToldAndWhatDiffersAfterIt() throws {
        let scene = try Folder.withData()
        try scene.write("", to: "data/a")
        var watched = try WatchState("data", at: scene.path("data"), from: scene.path)
        try watched.look()
        try scene.remove("data/a")
        var news = FolderChanges()
        news.hasOverflowed = true
        #expect(
            try watched.changes(after: news) == [
                .init(path: "data", event: .overflow), .init(path: "data/a", event: .removed),
            ])
        #expect(try watched.changes(after: FolderChanges()) == [])
    }

    @Test func tooManyNamesAreAnOverflow() {
        var news = FolderChanges()
        for number in 0..<10_000 { news.recordWriting(to: "\(number)") }
        news.recordWriting(to: "0")
        #expect(!news.hasOverflowed)
        news.recordWriting(to: "one too many")
        #expect(news.hasOverflowed)
        #expect(news.written.count == 10_000)
    }

    @Test func changesThatMayHaveBeenMissedAreAWarning() async throws {
        let scene = try Folder.withData()
        let watch = try await Watch("data", in: scene)
        let told = try await watch.told(1) {
            for number in 0..<10_001 {
                try scene.write("1", to: "data/\(number)")
                try scene.remove("data/\(number)")
            }
        }
        #expect(told == [change("overflow", "data")])
        #expect(watch.lines == ["watching data", "some changes of data may not have been told"])
        _ = await watch.end()
    }

    #if os(Linux)
        @Test func tooManyWatchesAreSaidWithTheSettingThatAllowsMore() {
            #expect(
                WorkerError.noWatch("data", ENOSPC)
                    == WorkerError(
                        "too_many_watches",
                        "'data' cannot be watched: too many files and folders are",
                        help: "raise fs.inotify.max_user_instances and max_user_watches with sysctl"
                    ))
        }

        private func event(_ mask: Int, _ name: String, of watch: UInt32 = 1) -> [UInt8] {
            var bytes: [UInt8] = []
            let text = Array(name.utf8) + [0, 0, 0]
            for number in [watch, UInt32(mask), 0, UInt32(text.count)] {
                withUnsafeBytes(of: number) { bytes += $0 }
            }
            return bytes + text
        }

        @Test func theEventsOfInotifyAreUnderstood() {
            var news = FolderChanges()
            let modified = event(Int(IN_MODIFY), "näme")
            let created = event(Int(IN_CREATE), "created")
            news.parse(inotify: (created + modified + created.dropLast())[...], of: 1)
            #expect(news.written == ["näme"])
            #expect(!news.hasOverflowed)
            #expect(!news.isGone)
            news.parse(inotify: event(Int(IN_Q_OVERFLOW), "", of: .max)[...], of: 1)
            #expect(news.hasOverflowed)
            let ofLinks = event(Int(IN_MODIFY), "x", of: 2) + event(Int(IN_DELETE_SELF), "", of: 2)
            news.parse(inotify: ofLinks[...], of: 1)
            #expect(news.written == ["näme"])
            #expect(!news.isGone)
            news.parse(inotify: event(Int(IN_MOVE_SELF), "")[...], of: 1)
            #expect(news.isGone)
        }
    #endif
}
