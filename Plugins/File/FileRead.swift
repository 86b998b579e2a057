import WorkerKit

/// `file.read`: the content of a file.
struct FileRead: PluginWorker {
    static let name = "file.read"
    static let summary = "Reads a file."
    static let needs: [WorkerNeed] = ["file.read={path}"]

    /// As base64 this is well below the limit of an output.
    private static let mostBytes = 8 * 1024 * 1024

    struct Input: Codable, Sendable {
        var path: String
        /// The encoding of the content; UTF-8 by default.
        var encoding: ContentEncoding?
        /// The maximum size of the file in bytes; 1 MiB by default.
        var maxBytes: Int?

        enum CodingKeys: String, CodingKey {
            case path, encoding
            case maxBytes = "max_bytes"
        }
    }

    struct Output: Codable, Sendable {
        var content: String
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Output {
        let limit = input.maxBytes ?? 1024 * 1024
        try (1...Self.mostBytes).check("max_bytes", limit)
        let file = try FileLocation(input.path, at: try context.require(.fileRead(input.path)))
        let bytes = try file.read(upTo: limit)
        return Output(content: try (input.encoding ?? .utf8).text(bytes, of: input.path))
    }
}
