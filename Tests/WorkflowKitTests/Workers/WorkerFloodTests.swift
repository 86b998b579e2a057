import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowPlugins

@Suite(.serialized) struct WorkerFloodTests {
    private static let variables = ProcessInfo.processInfo.environment

    /// `WORKFLOW_FLOOD_OUTPUTS=10000000` is the long version.
    private static let count = variables["WORKFLOW_FLOOD_OUTPUTS"].flatMap { Int($0) } ?? 20_000

    @Test func floodIsAppliedWholeAndOnlyAWindowOfItIsOnItsWay() async throws {
        let faulty = FaultyPlugin()
        let session = try await FlowSession.open(
            .runner,
            options: FlowOptions(
                limits: .unhurried, plugins: try .init([faulty.plugin]), keepsTimeline: false))
        let clock = ContinuousClock()
        let start = clock.now
        try await session.send([
            "type": "run", "worker": "faulty.floods", "input": ["count": .int(Self.count)],
        ])
        // There are few threads, and a call to a free session keeps this one.
        while faulty.sentCount < Self.count / 10 { await Task.yield() }
        let before = residentBytes()
        var most = 0
        while await session.hasRunningWorkers {
            let sentBefore = faulty.sentCount
            await session.answer()
            most = max(most, faulty.sentCount - sentBefore)
            await Task.yield()
            // No more outputs are pending than the window of a run allows.
            let sent = faulty.sentCount
            let applied = await session.rendering["count"]?.int ?? 0
            #expect(sent - applied <= 64)
        }
        let grown = residentBytes() - before
        let seconds = (clock.now - start) / .seconds(1)
        #expect(await session.rendering["count"] == .int(Self.count))
        #expect(await session.rendering["last"] == .int(Self.count))
        #expect(await session.close(within: .unreached) == [])
        // The process's memory, and its growth in a call, only mean something without other tests.
        if Self.variables["WORKFLOW_FLOOD_OUTPUTS"] != nil {
            #expect(grown < 64 << 20)
            // A call does not wait for the end of the flood.
            #expect(most < Self.count / 2)
            print(
                "flood: \(Self.count) outputs in \(seconds) s, at most \(most) during one call, "
                    + "memory \(grown >> 10) KiB more")
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
            options: FlowOptions(
                limits: .unhurried, plugins: try .init([faulty.plugin]), keepsTimeline: false))
        try await session.send(["type": "run", "workers": 8])
        while await session.rendering["count"]?.int ?? 0 < 1000 { await Task.yield() }
        // Each of these calls would wait for ever if the outputs blocked the session.
        for _ in 0..<50 { await session.answer() }
        try await session.send(["type": "run", "workers": 0])
        #expect(await session.close(within: .unreached) == [])
    }
}

extension FlowSession {
    /// A call that measures how soon the session can serve it.
    fileprivate func answer() {}
}

func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return 0
    }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
}
