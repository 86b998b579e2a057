import Foundation
import NotesCore
import PlainValue
import Testing
import WorkflowKit
import WorkflowStore

/// Checks the blocks of the README: code is in a file that is compiled or loaded, and terminal
/// sessions are played.
@Suite struct GuideTests {
    private static let package = String(
        #filePath.dropLast("Tests/NotesTests/GuideTests.swift".count))

    private static func blocks(_ language: String) throws -> [[String]] {
        let readme = try String(contentsOfFile: package + "README.md", encoding: .utf8)
        return readme.components(separatedBy: "\n```\(language)\n").dropFirst().map { rest in
            rest.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
        }
    }

    /// The lines of all files with an extension in some folders, without indentation.
    private static func lines(of kind: String, below folders: [String]) throws -> [[String]] {
        var files: [[String]] = []
        for folder in folders {
            let names = try FileManager.default.subpathsOfDirectory(atPath: package + folder)
            for name in names where name.hasSuffix(kind) {
                let text = try String(
                    contentsOfFile: "\(package)\(folder)/\(name)", encoding: .utf8)
                files.append(text.components(separatedBy: "\n").map(trimmed))
            }
        }
        return files
    }

    private static func trimmed(_ line: String) -> String {
        line.trimmingCharacters(in: .whitespaces)
    }

    @Test func theReadmeHasNoOtherBlocks() throws {
        let readme = try String(contentsOfFile: Self.package + "README.md", encoding: .utf8)
        let fences = readme.components(separatedBy: "\n```").count - 1
        let known = try ["swift", "lua", "console"].map { try Self.blocks($0).count }
        #expect(known == [1, 1, 1])
        #expect(fences == 2 * known.reduce(0, +))
    }

    @Test(arguments: ["swift", "lua"]) func codeIsThatOfTheProgram(_ language: String) throws {
        var files = try Self.lines(of: ".\(language)", below: ["Sources", "Tests", "Flows"])
        let manifest = try String(contentsOfFile: Self.package + "Package.swift", encoding: .utf8)
        files.append(manifest.components(separatedBy: "\n").map(Self.trimmed))
        for block in try Self.blocks(language) {
            let block = block.map(Self.trimmed)
            let isThere = files.contains { file in
                file.indices.contains { file[$0...].starts(with: block) }
            }
            #expect(isThere, "\(block.joined(separator: "\n"))")
        }
    }

    @Test func theTerminalShowsWhatTheProgramPrints() async throws {
        let folder = try TestFolder()
        try "brown bread\ntea\n".write(
            toFile: folder.path + "/shopping.txt", atomically: true, encoding: .utf8)
        for block in try Self.blocks("console") {
            var shown: [String] = []
            for line in block where line.hasPrefix("$ ") {
                shown.append(line)
                let words = line.split(separator: " ").dropFirst(2).map(String.init)
                // Each command is like a separate process.
                let tool = try NotesTool(
                    flows: Self.package + "Flows", store: folder.path + "/notes.sqlite",
                    folder: folder.path)
                do {
                    shown += try await tool.run(words).components(separatedBy: "\n")
                } catch {
                    shown.append("error: \(NotesTool.message(of: error))")
                }
            }
            #expect(shown == block)
        }
    }

    // MARK: Blocks as tests

    private let counter = FlowSource.text(
        """
        return {
            state = { count = 0 },
            apply = { add = function(state, action) state.count = state.count + action.by end },
            render = function(state) return { count = state.count } end,
        }
        """)

    @Test func actionsAndRenderingsAreSwiftTypes() async throws {
        let session = try await FlowSession.open(counter)
        struct Add: FlowAction { var by: Int }
        struct Screen: Decodable, Equatable { var count: Int }

        try await session.send(Add(by: 3))
        #expect(try await session.rendering(as: Screen.self) == Screen(count: 3))
    }

    @Test func theSecondOfTwoIsBroughtUpToDate() async throws {
        let folder = try TestFolder()
        let store = try SQLiteSessionStore(path: folder.path + "/sessions.sqlite")
        let first = try await StoredSession.open("a", of: counter, in: store)
        let second = try await StoredSession.open("a", of: counter, in: store)
        try await first.send(["type": "add", "by": 1])
        do {
            try await second.send(["type": "add", "by": 1])
        } catch let error as StoreError where error.code == .conflict {
            // The session was loaded again. Look at it, and send what is still wanted.
            try await second.send(["type": "add", "by": 1])
        }
        #expect(await second.rendering["count"] == 2)
    }
}

/// A temporary folder for a test, removed at its end.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
