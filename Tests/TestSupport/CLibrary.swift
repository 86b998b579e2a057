import Foundation

package enum CLibrary {
    /// Builds a library from a repository's file in the process's folder; returns its path.
    package static func build(
        _ source: String, as name: String, _ flags: String...
    ) throws -> String {
        let library = Folder.ofProcess.path(name)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "cc", "-std=c11", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-pthread",
                "-I", Repository.path("Sources/C/CWorkflowPlugin/include"), "-o", library,
                Repository.path(source),
            ] + flags
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Missing(what: "\(name): \(String(decoding: output, as: UTF8.self))")
        }
        return library
    }
}
