import WorkerKit

// The inputs of a plugin's worker come as plain values, so they are decoded.
struct Greet: PluginWorker {  // error: does not conform to protocol 'PluginWorker'
    static let name = "greeter.greet"
    static let summary = "Greets somebody."
    struct Input { var name: String }
    func run(_ input: Input, context: WorkerContext) async -> String { input.name }
}
