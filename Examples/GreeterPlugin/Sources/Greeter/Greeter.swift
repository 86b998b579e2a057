import WorkerKit

let greeter = Plugin("greeter", version: "1.0.0", workers: [Greet(), Count()])

/// The library's entry point for the host.
@c(workflow_plugin_entry)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? { greeter.export(to: host) }

struct Greet: PluginWorker {
    static let name = "greeter.greet"
    static let summary = "Greets somebody."
    struct Input: Codable, Sendable { var name: String }

    func run(_ input: Input, context: WorkerContext) async throws -> String {
        "Hello, \(input.name)!"
    }
}
