import Foundation
import WorkflowLua
import WorkflowPlugins

@testable import WorkflowCommand

/// A temporary folder of Lua files, and what a check says of it.
final class CheckedFolder {
    let url: URL

    init(_ files: [String: String]) throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("workflow-check-\(UUID().uuidString)")
        for (name, text) in files {
            let file = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The problems of the whole folder, a line each, with paths within it.
    func problems(_ paths: [String] = [""]) throws -> [String] {
        let registry = try WorkerRegistry(StandardPlugins.compiledIn)
        let full = paths.map { $0.isEmpty ? url.path : "\(url.path)/\($0)" }
        var check = try Check(full, registry: registry)
        return check.run().map { $0.text.replacingOccurrences(of: url.path + "/", with: "") }
    }
}
