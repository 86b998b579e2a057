import HTTPPlugin
import PlainValue
import PluginStage
import TestSupport
import WorkerKit

extension Stage {
    init(allowing grants: [String]) throws { try self.init(HTTPPlugin.plugin, allowing: grants) }

    /// Starts a worker without a time limit, however slow the machine is.
    func startInTime(
        _ name: String, _ input: Value
    ) throws -> AsyncThrowingStream<Value, any Error> {
        try start(name, input, clock: TestClock(.held))
    }
}

/// Runs a worker to its end and returns its outputs. With the default clock it has no time limit.
func run(
    _ name: String, _ input: Value, allowing grants: [String],
    clock: any Clock<Duration> = TestClock(.held)
) async throws -> [Value] {
    var outputs: [Value] = []
    let stage = try Stage(allowing: grants)
    for try await output in try await stage.start(name, input, clock: clock) {
        outputs.append(output)
    }
    return outputs
}
