import File
import Foundation
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkerKit

/// A temporary folder for a test, with workers that have some grants there.
final class Scene: Sendable {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
        try makeFolder("data")
    }

    // MARK: Files

    var folder: String { temporary.path }
    func path(_ name: String) -> String { temporary.path(name) }
    func makeFolder(_ name: String) throws { try temporary.makeFolder(name) }
    func write(_ text: String, to name: String) throws { try temporary.write(text, to: name) }
    func text(of name: String) throws -> String { try temporary.text(of: name) }
    func link(_ name: String, to target: String) throws { try temporary.link(name, to: target) }

    func move(_ name: String, to other: String) throws {
        try #require(rename(path(name), path(other)) == 0)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func names(in name: String) throws -> [String] { try temporary.names(in: name) }

    // MARK: Workers

    func grants(_ texts: [String]) throws -> Grants {
        Grants(try texts.map { try Grant(parsing: $0) }, folder: folder)
    }

    static func worker(_ name: String) throws -> WorkerDefinition {
        try #require(FilePlugin.plugin.workers.first { $0.name == name })
    }

    /// Runs a worker with a single output. It may read and write in `data`.
    func run(_ name: String, _ input: Value, context: WorkerContext? = nil) async throws -> Value {
        let outputs = Mutex<[Value]>([])
        let granted = WorkerContext(grants: try grants(["file=data"]))
        try await Self.worker(name).run(
            input, context: context ?? granted,
            outputs: WorkerEmitter { value in outputs.withLock { $0.append(value) } })
        return try #require(outputs.withLock { $0.first })
    }

    /// The error of a worker.
    func failure(
        _ name: String, _ input: Value, context: WorkerContext? = nil
    ) async throws -> WorkerError {
        try await #require(throws: WorkerError.self) {
            try await run(name, input, context: context)
        }
    }
}
