import FilePlugin
import Foundation
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

/// The plugin has another type of this name.
typealias Folder = TestSupport.Folder

// Workers that may read and write in `data`.
extension Folder {
    static func withData() throws -> Folder {
        let folder = try Folder()
        try folder.makeFolder("data")
        return folder
    }

    func move(_ name: String, to other: String) throws {
        try #require(rename(path(name), path(other)) == 0)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func run(_ name: String, _ input: Value, context: WorkerContext? = nil) async throws -> Value {
        let granted = WorkerContext(grants: try grants("file=data"))
        let worker = try FilePlugin.plugin.worker(name)
        return try #require(await worker.outputs(of: input, in: context ?? granted).first)
    }

    func failure(
        _ name: String, _ input: Value, context: WorkerContext? = nil
    ) async throws -> WorkerError {
        try await #require(throws: WorkerError.self) {
            try await run(name, input, context: context)
        }
    }
}
