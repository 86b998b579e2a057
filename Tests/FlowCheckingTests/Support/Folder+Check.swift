import Foundation
import TestSupport
import WorkflowLua
import WorkflowPlugins

@testable import FlowChecking
@testable import WorkflowCommand

extension Folder {
    /// The problems that a check finds at paths in the folder: a line each, with paths within it.
    func problems(_ paths: [String] = [""]) throws -> [String] {
        let registry = try WorkerRegistry(StandardPlugins.compiledIn)
        let full = paths.map { $0.isEmpty ? path : path($0) }
        var check = try Check(full, registry: registry)
        return check.run().map { $0.text.replacingOccurrences(of: path + "/", with: "") }
    }
}
