import Foundation
import WorkerKit

/// A worker that the users' flows may run: it reads the lines of a file.
struct ReadLines: PluginWorker {
    static let name = "notes.lines"
    static let summary = "Reads the lines of a text file."

    struct Input: Codable, Sendable {
        var path: String
    }

    func run(_ input: Input, context: WorkerContext) async throws -> [String] {
        let path = try context.require(.fileRead(input.path))
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw WorkerError("unreadable", "\(input.path) cannot be read")
        }
        return text.split(separator: "\n").map(String.init)
    }
}
