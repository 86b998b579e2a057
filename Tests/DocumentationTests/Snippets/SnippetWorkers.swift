import Foundation
import PlainValue
import WorkerKit
import Workflow
import WorkflowPlugins

struct Greet: PluginWorker {
    static let name = "greeter.greet"
    static let summary = "Greets somebody."

    struct Input: Codable, Sendable { var name: String }

    func run(_ input: Input, context: WorkerContext) async throws -> String {
        "Hello, \(input.name)!"
    }
}

struct LineCount: PluginWorker {
    static let name = "lines.count"
    static let summary = "Counts the lines of a text file."
    static let needs: [WorkerNeed] = ["file.read={path}"]

    struct Input: Codable, Sendable { var path: String }

    func run(_ input: Input, context: WorkerContext) async throws -> Int {
        // The path without links, which is the one that was granted.
        let path = try context.require(.fileRead(input.path))
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw WorkerError("unreadable", "\(input.path) cannot be read")
        }
        return text.split(separator: "\n").count
    }
}

struct Lines: StreamingPluginWorker {
    static let name = "lines.read"
    static let summary = "Gives the lines of a text, one after the other."

    struct Input: Codable, Sendable { var text: String }

    func run(_ input: Input, context: WorkerContext) -> AsyncStream<String> {
        AsyncStream { lines in
            for line in input.text.split(separator: "\n") { lines.yield(String(line)) }
            lines.finish()
        }
    }
}

/// A native workflow that runs the worker of a plugin.
struct Reminder: Workflow {
    var workers: WorkerSession

    func makeInitialState() -> String { "waiting" }

    func render(state: String, context: RenderContext<Reminder>) -> String {
        guard state == "waiting" else { return state }
        do {
            let timer = try workers.declare("clock.after", input: ["seconds": 60])
            context.awaitResult(for: timer) { _, state in
                state = "due"
                return nil
            }
        } catch {
            context.fail(error)
        }
        return state
    }
}
