import HTTP
import PlainValue
import PluginStage
import WorkerKit

extension Stage {
    /// A stage for the workers of the plugin.
    init(allowing grants: [String]) throws { try self.init(HTTPPlugin.plugin, allowing: grants) }
}

/// Runs a worker to its end, and gives its outputs.
func run(
    _ name: String, _ input: Value, allowing grants: [String],
    clock: any Clock<Duration> = ContinuousClock()
) async throws -> [Value] {
    var outputs: [Value] = []
    let stage = try Stage(allowing: grants)
    for try await output in try await stage.start(name, input, clock: clock) {
        outputs.append(output)
    }
    return outputs
}
