import CAllocationCount
import LibC
import PlainValue
import WorkerKit
import WorkflowKit
import WorkflowPlugins

private let listeningFlow = """
    return {
        name = "listening",
        state = { round = 0, count = 0 },
        apply = {
            listen = function(state, action)
                state.round, state.worker, state.input = state.round + 1, action.worker, action.input
            end,
            said = function(state) state.count = state.count + 1 end,
            done = function(state) state.worker = nil end,
        },
        render = function(state, context)
            if state.worker then
                context:run(state.worker, state.input, {
                    key = state.round, on_output = "said", on_finish = "done",
                })
            end
            return state.count
        end,
    }
    """

/// `repeat.again`: says a text a number of times, as `shout.again` of the example in C does.
private struct Again: EmittingPluginWorker {
    static let name = "repeat.again"
    static let summary = "Says a text a number of times."

    struct Input: Codable, Sendable {
        var text: String
        var times: Int
    }

    func run(_ input: Input, context: WorkerContext, outputs: WorkerEmitter<String>) async throws {
        for _ in 0..<input.times { try await outputs.send(input.text) }
    }
}

/// The cost of a worker's output from the plugin to the action that a Lua flow applies and renders.
/// `WORKFLOW_BENCH_PLUGIN` names the library of Examples/c-plugin; without it that row is left out.
func workersShapes() async throws -> [Measurement] {
    let library = getenv("WORKFLOW_BENCH_PLUGIN").map { String(cString: $0) }
    let registry = try WorkerRegistry([Plugin("repeat", version: "1", workers: [Again()])])
    if let library { try registry.load(library) }
    let session = try await FlowSession.open(
        .text(listeningFlow), options: FlowOptions(plugins: registry, keepsTimeline: false))
    var rows = [
        try await best("an action sent to a session", of: 5000) {
            for _ in 0..<5000 { try await session.send("said") }
        },
        try await outputs("an output of a worker that is compiled in", of: "repeat.again", session),
    ]
    if library != nil {
        rows.append(
            try await outputs("an output of a worker in a library", of: "shout.again", session))
    }
    _ = await session.close()
    return rows
}

private func outputs(
    _ name: String, of worker: String, _ session: FlowSession
) async throws -> Measurement {
    try await best(name, of: 20_000) {
        try await session.send([
            "type": "listen", "worker": .string(worker), "input": ["text": "ho", "times": 20_000],
        ])
        await session.untilIdle()
    }
}

/// The fastest of several batches of `calls` each, a call.
private func best(
    _ name: String, of calls: Int, _ body: () async throws -> Void
) async throws -> Measurement {
    guard isWanted(name) else {
        return Measurement(name: name, nanoseconds: .nan, allocations: 0)
    }
    var best = Measurement(name: name, nanoseconds: .infinity, allocations: 0)
    let clock = ContinuousClock()
    for _ in 0..<10 {
        let before = allocation_count()
        let nanoseconds = try await clock.measure(body) / .nanoseconds(1) / Double(calls)
        let allocations = Double(allocation_count() - before) / Double(calls)
        guard nanoseconds < best.nanoseconds else { continue }
        best.nanoseconds = nanoseconds
        best.allocations = allocations
    }
    return best
}
