import WorkerKit

// Flows run a plugin's worker by the name of its type.
struct Greet: PluginWorker {  // error: does not conform to protocol 'EmittingPluginWorker'
    static let summary = "Greets somebody."
    func run(_ name: String, context: WorkerContext) async -> String { "Hello, \(name)!" }
}
