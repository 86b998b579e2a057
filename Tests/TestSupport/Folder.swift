public import Foundation

/// A temporary folder for a test, removed with its contents when it is released.
public final class Folder: Sendable {
    /// The path, without links and without a final slash.
    public let path: String

    /// Makes a temporary folder.
    ///
    /// - Parameters:
    ///   - files: The texts of its files, by name.
    ///   - parent: The folder to make it in; by default the temporary one. Sockets need it short.
    public init(_ files: [String: String] = [:], in parent: String? = nil) throws {
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
    public static let ofProcess: Folder = {
        do {
            let folder = try Folder()
            atexit { try? FileManager.default.removeItem(atPath: Folder.ofProcess.path) }
            return folder
        } catch {
            fatalError("\(error)")
        }
    }()

    // MARK: Contents

    /// The folder as a URL.
    public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// The path of a file in it.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and makes its folders.
    public func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file, and makes its folders.
    public func write(_ bytes: Data, to name: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    /// The text of a file.
    public func text(of name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// Makes a folder and its parents.
    public func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
    }

    /// Makes a link to a path, which is relative to the link's folder.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// The sorted names in it, or in one of its folders.
    public func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// The names and bytes of the files directly in it.
    public func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try names() {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: path(name)))
        }
        return contents
    }
}
