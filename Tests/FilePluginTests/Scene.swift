import File
import Foundation
import PlainValue
import Synchronization
import Testing
import WorkerKit

/// A folder of its own for a test, gone with it, and workers that run there with some grants.
final class Scene: Sendable {
    let folder: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.resolvingSymlinksInPath().path(percentEncoded: false)
        try makeFolder("data")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    // MARK: What is there

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    func text(of name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path(name), withDestinationPath: target)
    }

    func move(_ name: String, to other: String) throws {
        try #require(rename(path(name), path(other)) == 0)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    // MARK: Workers

    func grants(_ texts: [String]) throws -> Grants {
        Grants(try texts.map { try Grant(parsing: $0) }, folder: folder)
    }

    static func worker(_ name: String) throws -> WorkerDefinition {
        try #require(FilePlugin.plugin.workers.first { $0.name == name })
    }

    /// Runs a worker with one output by itself; it may read and write in `data`.
    func run(_ name: String, _ input: Value, context: WorkerContext? = nil) async throws -> Value {
        let outputs = Mutex<[Value]>([])
        let granted = WorkerContext(grants: try grants(["file=data"]))
        try await Self.worker(name).run(
            input, context: context ?? granted,
            outputs: WorkerEmitter { value in outputs.withLock { $0.append(value) } })
        return try #require(outputs.withLock { $0.first })
    }

    /// The error that a worker fails with.
    func failure(
        _ name: String, _ input: Value, context: WorkerContext? = nil
    ) async throws -> WorkerError {
        try await #require(throws: WorkerError.self) {
            try await run(name, input, context: context)
        }
    }
}
