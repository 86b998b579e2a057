import WorkerKit

/// `file.list`: the contents of a folder.
struct FileList: PluginWorker {
    static let name = "file.list"
    static let summary = "Lists what is in a folder, in the order of the names."
    static let needs: [WorkerNeed] = ["file.read={path}"]

    struct Input: Codable, Sendable {
        var path: String
    }

    struct Output: Codable, Sendable {
        var entries: [Entry]
    }

    struct Entry: Codable, Sendable {
        var name: String
        var kind: FileKind
        /// The file's size in bytes.
        var size: Int
        /// Seconds since 1970.
        var modified: Double
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Output {
        let folder = try OpenFolder(input.path, at: try context.require(.fileRead(input.path)))
        return Output(
            entries: try folder.entries(of: input.path).map { name, status in
                Entry(
                    name: name, kind: status.kind, size: status.size, modified: status.modified)
            })
    }
}
