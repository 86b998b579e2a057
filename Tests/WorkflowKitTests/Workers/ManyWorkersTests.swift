import ClockPlugin
import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite(.serialized) struct ManyWorkersTests {
    private static let flow = FlowSource.text(
        """
        local Flow = { name = "one", state = { last = 0, ticks = 0, tick = 0, gaps = 0 } }
        Flow.apply = {
            number = function(state, action)
                if action.output ~= state.last + 1 then state.gaps = state.gaps + 1 end
                state.last = action.output
            end,
            tick = function(state, action)
                state.ticks, state.tick = state.ticks + 1, action.output.tick
            end,
        }
        function Flow.render(state, context)
            local seconds = context.props.seconds
            context:run("stream.numbers", { seconds = seconds }, { on_output = "number" })
            context:run("clock.every", { seconds = seconds }, { on_output = "tick" })
            return { last = state.last, ticks = state.ticks, tick = state.tick, gaps = state.gaps }
        end
        return Flow
        """)

    /// `WORKFLOW_SOAK_SECONDS=60` is the long version: a thousand sessions, a tick and a number
    /// each 0.1 s, or `WORKFLOW_SOAK_PERIOD`, as a debug build is too slow for the default.
    private static let soak = ProcessInfo.processInfo.environment["WORKFLOW_SOAK_SECONDS"]
        .flatMap { Double($0) }

    private static let soakPeriod =
        ProcessInfo.processInfo.environment["WORKFLOW_SOAK_PERIOD"].flatMap { Double($0) } ?? 0.1

    @Test func outputsOfManyWorkersInManySessionsAllArrive() async throws {
        let sessionCount = Self.soak == nil ? 50 : 1000
        let period = Self.soak == nil ? 0.02 : Self.soakPeriod
        // The number of a tick shows the time that has passed.
        let lastTick = Int((Self.soak ?? 0.4) / period)
        let stream = NumberStream()
        var options = FlowOptions(
            props: ["seconds": .double(period)],
            plugins: try WorkerRegistry([ClockPlugin.plugin, stream.plugin]), keepsTimeline: false)
        options.limits.timeLimit = .unreached
        var sessions: [FlowSession] = []
        for _ in 0..<sessionCount {
            sessions.append(try await FlowSession.open(Self.flow, options: options))
        }
        let clock = ContinuousClock()
        let start = clock.now
        // By now all have run for a while.
        await Self.untilAll(sessions, reach: lastTick / 10)
        let before = residentBytes()
        let sentBefore = stream.sent.load(ordering: .relaxed)
        let measured = clock.now
        await Self.untilAll(sessions, reach: lastTick)
        let grown = residentBytes() - before
        let seconds = (clock.now - measured) / .seconds(1)
        let sent = stream.sent.load(ordering: .relaxed) - sentBefore

        var (ticks, dueTicks) = (0, 0)
        for session in sessions {
            let seen = await session.rendering
            #expect(seen["gaps"] == 0)
            #expect(seen["last"]?.int ?? 0 > 0)
            ticks += seen["ticks"]?.int ?? 0
            dueTicks += seen["tick"]?.int ?? 0
        }
        #expect(ticks <= dueTicks)
        // This is the memory of the whole process, where other tests may run.
        if Self.soak != nil { #expect(grown < 64 << 20) }
        let cpu = processorSeconds()
        var abandoned: [String] = []
        for session in sessions { abandoned += await session.close(within: .unreached) }
        #expect(abandoned == [])
        if Self.soak != nil {
            print(
                "soak: \(sessionCount) sessions for \(seconds) s (\((clock.now - start)) in all): "
                    + "\(sent) outputs streamed, none lost; \(ticks) ticks, \(dueTicks - ticks) "
                    + "left out as they came too late; memory \(before >> 20) MiB, "
                    + "\(grown >> 10) KiB more at the end; \(cpu) s of processor time")
        }
    }

    private static func untilAll(_ sessions: [FlowSession], reach tick: Int) async {
        for session in sessions {
            for await rendering in await session.renderings {
                if rendering["tick"]?.int ?? 0 >= tick, rendering["last"]?.int ?? 0 > 0 { break }
            }
        }
    }
}

/// `stream.numbers`: counts from 1 with a period in seconds.
private final class NumberStream: Sendable {
    let sent = Atomic(0)

    var plugin: Plugin {
        Plugin(
            "stream", version: "1.0.0",
            definitions: [
                WorkerDefinition(name: "stream.numbers", summary: "") { input, context, outputs in
                    var number = 0
                    while true {
                        try await context.sleep(for: .seconds(input["seconds"]?.double ?? 1))
                        number += 1
                        try await outputs.send(.int(number))
                        self.sent.add(1, ordering: .relaxed)
                    }
                }
            ])
    }
}

/// The processor time that this process has used, in seconds.
private func processorSeconds() -> Double {
    var used = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
    return Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
}
