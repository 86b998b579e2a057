package import Foundation

/// A temporary folder for a test, removed with its contents when it is released.
package final class Folder: Sendable {
    /// The path, without links and without a final slash.
    package let path: String

    /// Makes it in the temporary folder, or in `parent`: sockets need it short.
    package init(_ files: [String: String] = [:], in parent: String? = nil) throws {
        let parent = parent ?? FileManager.default.temporaryDirectory.path
        let template = strdup("\(parent)/workflow-tests-XXXXXX")
        defer { free(template) }
        guard let template, mkdtemp(template) != nil, let real = realpath(template, nil) else {
            throw Missing(what: "a folder in \(parent)")
        }
        defer { free(real) }
        path = String(cString: real)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A folder for all tests of the process, removed when it ends.
    package static let ofProcess: Folder = {
        do {
            let folder = try Folder()
            atexit { try? FileManager.default.removeItem(atPath: Folder.ofProcess.path) }
            return folder
        } catch {
            fatalError("\(error)")
        }
    }()

    // MARK: Contents

    package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    package func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    package func write(_ bytes: Data, to name: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    package func text(of name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
    }

    /// Makes a link to a path, which is relative to the link's folder.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// The sorted names in it, or in one of its folders.
    package func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// The names and bytes of the files directly in it.
    package func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try names() {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: path(name)))
        }
        return contents
    }
}
