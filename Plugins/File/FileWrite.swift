import WorkerKit

/// `file.write`: replaces the content of a file, or creates one.
struct FileWrite: PluginWorker {
    static let name = "file.write"
    static let summary = "Writes a file, all of it or nothing."
    static let needs: [WorkerNeed] = ["file.write={path}"]

    struct Input: Codable, Sendable {
        var path: String
        var content: String
        /// The encoding of the content; UTF-8 by default.
        var encoding: ContentEncoding?
    }

    struct Output: Codable, Sendable {
        /// The file's size in bytes.
        var size: Int
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Output {
        let bytes = try (input.encoding ?? .utf8).bytes(input.content)
        let file = try FileLocation(input.path, at: try context.require(.fileWrite(input.path)))
        try file.replace(with: bytes)
        return Output(size: bytes.count)
    }
}
