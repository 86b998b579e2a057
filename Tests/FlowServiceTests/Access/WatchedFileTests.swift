import Foundation
import Synchronization
import TestSupport
import Testing
import WorkflowLua

@testable import FlowService

struct WatchedFileTests {
    private let folder: Folder
    private let time = TestTime()

    init() throws { folder = try Folder(["a": "1"]) }

    @Test func aChangeIsSeenASecondLaterAndAWrongOneIsToldOnceAndIgnored() async throws {
        let told = Told()
        let file = try await WatchedFile(
            folder.path("a"), now: { [time] in time.now }, report: { told.add($0.message) }
        ) { bytes throws(FlowError) in
            guard let number = Int(String(decoding: bytes, as: UTF8.self)) else {
                throw FlowError(.file, "no number")
            }
            return number
        }
        try folder.write("22", to: "a")
        #expect(await file.contents() == 1)
        time.move(by: .seconds(1))
        #expect(await file.contents() == 22)

        try folder.write("three", to: "a")
        time.move(by: .seconds(1))
        #expect(await file.contents() == 22)
        time.move(by: .seconds(1))
        #expect(await file.contents() == 22)
        #expect(told.all == ["no number"])

        try FileManager.default.removeItem(atPath: folder.path("a"))
        time.move(by: .seconds(1))
        #expect(await file.contents() == 22)
        #expect(told.all.last == "\(folder.path("a")) cannot be read: No such file or directory")

        try folder.write("4", to: "a")
        #expect(await file.contents() == 22)
        await file.reload()
        #expect(await file.contents() == 4)
        #expect(told.all.count == 2)
    }

    private final class Told: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }
}
