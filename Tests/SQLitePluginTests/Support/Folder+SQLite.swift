import Foundation
import PlainValue
import PluginStage
import SQLitePlugin
import TestSupport
import WorkerKit

// Runs that have all grants in a folder.
extension Folder {
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    @discardableResult func run(
        _ name: String, _ input: Value, allowing grants: [String]? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Value {
        let stage = try Stage(SQLitePlugin.plugin, allowing: grants ?? ["file=."], in: path)
        var last: Value = .null
        for try await output in try await stage.start(name, input, clock: clock) { last = output }
        return last
    }

    @discardableResult
    func execute(_ sql: String, _ parameters: Value = .null) async throws -> Value {
        try await run(
            "sqlite.execute", ["database": "a.db", "sql": .string(sql), "parameters": parameters])
    }

    func query(_ sql: String, _ parameters: Value = .null) async throws -> Value {
        try await run(
            "sqlite.query", ["database": "a.db", "sql": .string(sql), "parameters": parameters])
    }
}
