import Foundation
import PlainValue
import Testing
import WorkerKit
import WorkflowKit
import WorkflowPlugins

/// Workers that emit without a pause.
@Suite(.serialized) struct WorkerFloodTests {
    private static let variables = ProcessInfo.processInfo.environment

    /// `WORKFLOW_FLOOD_OUTPUTS=10000000` is the long version.
    private static let count = variables["WORKFLOW_FLOOD_OUTPUTS"].flatMap { Int($0) } ?? 20_000

    @Test func floodIsAppliedWholeAndOnlyAWindowOfItIsOnItsWay() async throws {
        let faulty = FaultyPlugin()
        let session = try await FlowSession.open(
            .runner,
            options: FlowOptions(plugins: try .init([faulty.plugin]), keepsTimeline: false))
        let clock = ContinuousClock()
        let start = clock.now
        try await session.send([
            "type": "run", "worker": "faulty.floods", "input": ["count": .int(Self.count)],
        ])
        // Threads are few, and a call that hops to a free session keeps this one.
        while faulty.sentCount < Self.count / 10 { await Task.yield() }
        let before = residentBytes()
        var slowest = Duration.zero
        var answers = 0
        while await session.hasRunningWorkers {
            slowest = max(slowest, await clock.measure { await session.answer() })
            answers += 1
            await Task.yield()
            // No more is on its way than the window of a run holds.
            let sent = faulty.sentCount
            let applied = await session.rendering["count"]?.int ?? 0
            #expect(sent - applied <= 64)
        }
        let grown = residentBytes() - before
        let seconds = (clock.now - start) / .seconds(1)
        #expect(await session.rendering["count"] == .int(Self.count))
        #expect(await session.rendering["last"] == .int(Self.count))
        // Tens of milliseconds by itself; other tests compute at the same time.
        #expect(slowest < .seconds(20))
        #expect(await session.close() == [])
        // What the whole process holds means something only where no other tests run.
        if Self.variables["WORKFLOW_FLOOD_OUTPUTS"] != nil {
            #expect(grown < 64 << 20)
            print(
                "flood: \(Self.count) outputs in \(seconds) s, slowest of \(answers) answers "
                    + "\(slowest), memory \(grown >> 10) KiB more")
        }
    }

    @Test func sessionAnswersWhileSeveralWorkersFloodIt() async throws {
        let faulty = FaultyPlugin()
        let session = try await FlowSession.open(
            .text(
                """
                local Flow = { name = "flow", state = { count = 0, workers = 0 } }
                Flow.apply = {
                    run = function(state, action) state.workers = action.workers end,
                    got = function(state) state.count = state.count + 1 end,
                }
                function Flow.render(state, context)
                    for id = 1, state.workers do
                        context:run("faulty.floods", { id = id }, { key = id, on_output = "got" })
                    end
                    return { count = state.count }
                end
                return Flow
                """),
            options: FlowOptions(plugins: try .init([faulty.plugin]), keepsTimeline: false))
        try await session.send(["type": "run", "workers": 8])
        while await session.rendering["count"]?.int ?? 0 < 1000 { await Task.yield() }
        let clock = ContinuousClock()
        var slowest = Duration.zero
        for _ in 0..<50 { slowest = max(slowest, await clock.measure { await session.answer() }) }
        // As above.
        #expect(slowest < .seconds(20))
        try await session.send(["type": "run", "workers": 0])
        #expect(await session.close() == [])
    }
}

extension FlowSession {
    /// Something to do for the session, to see how long it takes to come to it.
    fileprivate func answer() {}
}

/// The memory that this process holds.
func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return 0
    }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
}
