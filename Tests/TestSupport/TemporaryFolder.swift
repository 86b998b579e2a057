public import Foundation

/// A folder of a test's own, which is removed with all that is in it when nobody holds it any more.
public final class TemporaryFolder: Sendable {
    /// The path, without links in it and without a slash at its end.
    public let path: String

    /// Makes a folder among the temporary files.
    ///
    /// - Parameters:
    ///   - files: The texts of files to make in it, by their names.
    ///   - parent: Where to make it, if not where the system has its temporary files: a socket needs a short path.
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

    /// One that all tests of the process share, removed when it ends.
    public static let ofProcess: TemporaryFolder = {
        do {
            let folder = try TemporaryFolder()
            atexit { try? FileManager.default.removeItem(atPath: TemporaryFolder.ofProcess.path) }
            return folder
        } catch {
            fatalError("\(error)")
        }
    }()

    // MARK: What is in it

    /// The folder as a URL.
    public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// The path of something in it.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and makes the folders that it is to stand in.
    public func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file, and makes the folders that it is to stand in.
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

    /// Makes a folder, and those that it is to stand in.
    public func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
    }

    /// Makes a link to a path, which is seen from where the link stands.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path(name), withDestinationPath: target)
    }

    /// The names of what is in it, or in a folder in it, sorted.
    public func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// The names and bytes of all files that stand directly in it.
    public func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try names() {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: path(name)))
        }
        return contents
    }
}
