import Foundation

/// Builds the libraries of C that tests load.
enum Compiler {
    struct Failed: Error {
        let output: String
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Where the libraries of this run of the tests are.
    static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }()

    /// A path in the repository.
    static func path(_ name: String) -> String { root.appending(path: name).path() }

    /// Builds a library of one file, and gives its path.
    static func build(_ source: String, as name: String, _ flags: String...) throws -> String {
        let library = folder.appending(path: name).path()
        try run(
            [
                "cc", "-std=c11", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-pthread",
                "-I", path("Sources/CWorkflowPlugin/include"), "-o", library, path(source),
            ] + flags)
        return library
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let output = String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(output: output) }
    }
}
