import Foundation
import Testing

/// Where the tests find what was built and what stands in the repository.
enum BuildFolder {
    /// The executable, in the folder that also holds the test bundle.
    static func workflowRun() throws -> URL {
        for argument in CommandLine.arguments where argument.contains("/") {
            var folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
            while folder.pathComponents.count > 1 {
                let program = folder.appendingPathComponent("workflow-run")
                if FileManager.default.isExecutableFile(atPath: program.path),
                    !isFolder(program)
                {
                    return program
                }
                folder.deleteLastPathComponent()
            }
        }
        throw Missing(what: "workflow-run beside \(CommandLine.arguments)")
    }

    /// The folder of an example flow.
    static func example(_ name: String) -> URL {
        var folder = URL(fileURLWithPath: #filePath)
        // Tests/WorkflowCommandTests/Support, and this file.
        for _ in 1...4 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("Examples").appendingPathComponent(name)
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            && isFolder.boolValue
    }
}

/// Something that a test needs and that is not there.
struct Missing: Error {
    var what: String
}
