import Foundation

/// Where the tests find what stands in the repository, and what was built.
enum Repository {
    /// The top of the repository, with a slash at its end.
    static let root = String(
        #filePath.dropLast("Tests/DocumentationTests/Support/Repository.swift".count))

    /// The text of a file.
    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + path, encoding: .utf8)
    }

    /// The paths of the files below a folder with one of some endings, sorted; nothing that was built or fetched.
    static func files(below folder: String, endings: [String]) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root + folder)
        return paths.filter { path in
            endings.contains { path.hasSuffix($0) } && !path.contains(".build")
        }.map { "\(folder)/\($0)" }.sorted()
    }

    /// The executable, in the folder that also holds the test bundle or in one above.
    static func workflowRun() throws -> URL {
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

/// Something that a test needs and that is not there.
struct Missing: Error {
    var what: String
}
