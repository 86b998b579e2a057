import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit

@testable import FilePlugin

@Suite(.timeLimit(.minutes(15))) struct ContentTests {
    @Test func theWorkersTellTheirShapes() {
        let encoding = #"encoding?: "utf-8"|"base64""#
        #expect(
            FilePlugin.plugin.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "file.read { path: string, \(encoding), max_bytes?: integer } "
                    + "-> { content: string }",
                "file.write { path: string, content: string, \(encoding) } -> { size: integer }",
                "file.list { path: string } -> { entries: { name: string, "
                    + #"kind: "file"|"folder"|"link"|"other", size: integer, modified: number }[] }"#,
                "file.watch { path: string } -> { path: string, "
                    + #"event: "created"|"modified"|"removed"|"renamed"|"overflow", from?: string }"#,
            ])
    }

    // MARK: Reading

    @Test func aFileIsReadAsText() async throws {
        let scene = try Folder.withData()
        try scene.write("näh\n", to: "data/a")
        #expect(try await scene.run("file.read", ["path": "data/a"]) == ["content": "näh\n"])
        try scene.write("", to: "data/a")
        #expect(try await scene.run("file.read", ["path": "data/a"]) == ["content": ""])
    }

    @Test func aLongFileIsReadWhole() async throws {
        let scene = try Folder.withData()
        let text = (0..<40_000).map { "\($0)\n" }.joined()
        try scene.write(text, to: "data/a")
        #expect(try await scene.run("file.read", ["path": "data/a"]) == ["content": .string(text)])
    }

    @Test func bytesAreReadAsBase64() async throws {
        let scene = try Folder.withData()
        try Data([0, 255, 128]).write(to: URL(filePath: scene.path("data/a")))
        #expect(
            try await scene.run("file.read", ["path": "data/a", "encoding": "base64"]) == [
                "content": "AP+A"
            ])
        #expect(
            try await scene.failure("file.read", ["path": "data/a"])
                == WorkerError(
                    "not_text", "'data/a' is not UTF-8 text",
                    help: #"read it with encoding = "base64""#))
    }

    @Test func aFileThatIsTooLargeIsAnError() async throws {
        let scene = try Folder.withData()
        try scene.write("12345", to: "data/a")
        #expect(
            try await scene.run("file.read", ["path": "data/a", "max_bytes": 5]) == [
                "content": "12345"
            ])
        #expect(
            try await scene.failure("file.read", ["path": "data/a", "max_bytes": 4])
                == WorkerError(
                    "too_large", "'data/a' has more than 4 bytes", help: "raise max_bytes"))
    }

    @Test(arguments: [0, -1, 8_388_609]) func aLimitOutOfRangeIsRefused(limit: Int) async throws {
        #expect(
            try await Folder.withData().failure(
                "file.read", ["path": "data/a", "max_bytes": .int(limit)])
                == WorkerError(
                    "bad_input", "max_bytes is \(limit)", help: "it can be from 1 to 8388608"))
    }

    @Test func whatIsNotThereIsAnError() async throws {
        let scene = try Folder.withData()
        for path in ["data/none", "data/none/none"] {
            for worker in ["file.read", "file.list"] {
                #expect(
                    try await scene.failure(worker, ["path": .string(path)])
                        == WorkerError("not_found", "there is no '\(path)'"))
            }
        }
    }

    // MARK: Writing

    @Test func aFileIsMadeAndReplaced() async throws {
        let scene = try Folder.withData()
        for text in ["first, longer", "second", ""] {
            #expect(
                try await scene.run(
                    "file.write", ["path": "data/new", "content": .string(text)]) == [
                        "size": .int(text.utf8.count)
                    ])
            #expect(try scene.text(of: "data/new") == text)
        }
        #expect(try scene.names(in: "data") == ["new"])
    }

    @Test func bytesAreWrittenFromBase64() async throws {
        let scene = try Folder.withData()
        _ = try await scene.run(
            "file.write", ["path": "data/a", "content": "AP+A", "encoding": "base64"])
        #expect(try Data(contentsOf: URL(filePath: scene.path("data/a"))) == Data([0, 255, 128]))
        #expect(
            try await scene.failure(
                "file.write", ["path": "data/a", "content": "?", "encoding": "base64"])
                == WorkerError("bad_input", "content is not base64"))
    }

    @Test func aFileKeepsItsPermissions() async throws {
        let scene = try Folder.withData()
        try scene.write("old", to: "data/a")
        for permissions in [0o600, 0o755, 0o666] as [mode_t] {
            try #require(chmod(scene.path("data/a"), permissions) == 0)
            _ = try await scene.run("file.write", ["path": "data/a", "content": "new"])
            var status = stat()
            try #require(stat(scene.path("data/a"), &status) == 0)
            #expect(status.st_mode & 0o7777 == permissions)
        }
    }

    @Test func aReaderSeesAllOfTheOldOrAllOfTheNew() async throws {
        let scene = try Folder.withData()
        try scene.write("old", to: "data/a")
        let reader = try FileHandle(forReadingFrom: URL(filePath: scene.path("data/a")))
        _ = try await scene.run("file.write", ["path": "data/a", "content": "new"])
        #expect(try reader.readToEnd() == Data("old".utf8))
        #expect(try scene.text(of: "data/a") == "new")
    }

    @Test func aLinkStaysAndItsFileIsReplaced() async throws {
        let scene = try Folder.withData()
        try scene.write("old", to: "data/a")
        try scene.link("data/link", to: "a")
        _ = try await scene.run("file.write", ["path": "data/link", "content": "new"])
        #expect(try scene.text(of: "data/a") == "new")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: scene.path("data/link"))
                == "a")
    }

    @Test(.enabled(if: geteuid() != 0, "the super-user may write anything"))
    func aFileThatIsReadOnlyStaysAsItIs() async throws {
        let scene = try Folder.withData()
        try scene.write("old", to: "data/a")
        try #require(chmod(scene.path("data/a"), 0o400) == 0)
        #expect(
            try await scene.failure("file.write", ["path": "data/a", "content": "new"])
                == WorkerError(
                    "no_permission", "'data/a': Permission denied",
                    help: "the user who runs the host may not do this"))
        #expect(try scene.text(of: "data/a") == "old")
    }

    @Test func aFolderMustBeThereToWriteInIt() async throws {
        let scene = try Folder.withData()
        #expect(
            try await scene.failure("file.write", ["path": "data/none/a", "content": ""])
                == WorkerError("not_found", "there is no 'data/none/a'"))
        #expect(
            try await scene.failure("file.write", ["path": "data", "content": ""])
                == WorkerError("not_a_file", "'data' is a folder", help: "list it with file.list"))
    }

    // MARK: Listing

    @Test func aFolderIsListedInTheOrderOfItsNames() async throws {
        let scene = try Folder.withData()
        try scene.write("12345", to: "data/b")
        try scene.write("", to: "data/.hidden")
        try scene.write("", to: "data/B")
        try scene.makeFolder("data/inner")
        try scene.link("data/link", to: "/etc/passwd")
        try #require(mkfifo(scene.path("data/pipe"), 0o600) == 0)
        let output = try await scene.run("file.list", ["path": "data"])
        let entries = try #require(output["entries"]?.list)
        #expect(
            entries.map { "\($0["name"]?.string ?? "") \($0["kind"]?.string ?? "")" } == [
                ".hidden file", "B file", "b file", "inner folder", "link link", "pipe other",
            ])
        #expect(entries.first { $0["name"] == "b" }?["size"] == 5)
        let modified = try #require(entries.first?["modified"]?.double)
        #expect(abs(modified - Date().timeIntervalSince1970) < 3600)
    }

    @Test func anEmptyFolderHasNoEntries() async throws {
        #expect(try await Folder.withData().run("file.list", ["path": "data"]) == ["entries": []])
    }

    @Test func aFileIsNoFolder() async throws {
        let scene = try Folder.withData()
        try scene.write("", to: "data/a")
        #expect(
            try await scene.failure("file.list", ["path": "data/a"])
                == WorkerError("not_a_folder", "'data/a' is not a folder"))
    }

    @Test func aFolderThatIsTooLargeIsAnError() async throws {
        let scene = try Folder.withData()
        for name in ["a", "b", "c"] { try scene.write("", to: "data/\(name)") }
        let folder = try OpenFolder("data", at: scene.path("data"))
        #expect(try folder.entries(of: "data", limit: 3).map(\.name) == ["a", "b", "c"])
        let error = #expect(throws: WorkerError.self) { try folder.entries(of: "data", limit: 2) }
        #expect(
            error
                == WorkerError(
                    "too_large", "'data' has more than 2 entries", help: "name a smaller folder"))
    }
}
