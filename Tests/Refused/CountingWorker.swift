import WorkerKit

// One value of the type serves all runs, and several at a time.
final class Greet: PluginWorker {
    static let name = "greet.greet"
    static let summary = "Greets somebody."
    var count = 0  // error: 'Sendable'-conforming class 'Greet' is mutable
    func run(_ name: String, context: WorkerContext) async -> String { "Hello, \(name)!" }
}
