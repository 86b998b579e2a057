public import Foundation

/// The files of the repository and the build products.
public enum Repository {
    /// The top of the repository, with a final slash.
    public static let root = String(#filePath.dropLast("Tests/TestSupport/Repository.swift".count))

    /// The path of a file or folder in the repository.
    public static func path(_ name: String) -> String { root + name }

    /// The text of a file.
    public static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + path, encoding: .utf8)
    }

    /// The executable, in the folder of the test bundle or in one above.
    public static func workflowRun() throws -> URL {
        for argument in CommandLine.arguments where argument.contains("/") {
            var folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
            while folder.pathComponents.count > 1 {
                let program = folder.appendingPathComponent("workflow-run")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: program.path, isDirectory: &isFolder),
                    !isFolder.boolValue
                {
                    return program
                }
                folder.deleteLastPathComponent()
            }
        }
        throw Missing(what: "workflow-run beside \(CommandLine.arguments)")
    }
}
