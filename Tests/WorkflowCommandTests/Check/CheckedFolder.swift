import Foundation
import TestSupport
import WorkflowLua
import WorkflowPlugins

@testable import FlowChecking
@testable import WorkflowCommand

/// A temporary folder of Lua files, and what a check says of it.
final class CheckedFolder {
    private let folder: TemporaryFolder

    init(_ files: [String: String]) throws { folder = try TemporaryFolder(files) }

    var url: URL { folder.url }

    /// The problems of the whole folder, a line each, with paths within it.
    func problems(_ paths: [String] = [""]) throws -> [String] {
        let registry = try WorkerRegistry(StandardPlugins.compiledIn)
        let full = paths.map { $0.isEmpty ? url.path : "\(url.path)/\($0)" }
        var check = try Check(full, registry: registry)
        return check.run().map { $0.text.replacingOccurrences(of: url.path + "/", with: "") }
    }
}
