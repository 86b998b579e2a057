import WorkerKit

// The inputs of a plugin's worker come as plain values, so they are decoded.
struct Greet: PluginWorker {  // error: does not conform to protocol 'PluginWorker'
    struct Input { var name: String }

    let name = "greet"

    func run(_ input: Input, context: WorkerContext) async throws -> String { input.name }
}
