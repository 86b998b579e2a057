import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct ManySessionsTests {
    private static let source = """
        local mine
        return {
            name = "one",
            state = function(props) mine = props.id return { id = props.id, n = 0 } end,
            apply = {
                add = function(state)
                    state.n, state.r = state.n + 1, math.random(1000)
                    state.leaks = pcall(function() secret = mine end)
                        or pcall(function() string.secret = mine end)
                        or pcall(rawset, _ENV, "secret", mine)
                end,
                spin = function() while true do end end,
            },
            render = function(state)
                local seen = rawget(_ENV, "secret") ~= nil or string.secret ~= nil or ("").secret ~= nil
                return { id = mine, n = state.n, leaks = state.leaks or seen, r = state.r }
            end,
        }
        """

    private func open(_ id: Int) async throws -> FlowSession {
        var options = FlowOptions(props: ["id": .int(id)])
        options.limits.timeLimit = .unreached
        return try await FlowSession.open(.text(Self.source), options: options)
    }

    private final class Progress: Sendable { let served = Atomic(0) }

    @Test func aThousandSessionsAreServedWhileOneSpins() async throws {
        let spinner = try await open(0)
        var sessions: [FlowSession] = []
        for id in 1...1000 { sessions.append(try await open(id)) }
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: OwnThread()) {
                let error = await #expect(throws: FlowError.self) { try await spinner.send("spin") }
                #expect(error?.code == .interrupted)
            }
            let other = OwnThread()
            for session in sessions {
                group.addTask(executorPreference: other) {
                    try await session.send("add")
                    let count = progress.served.add(1, ordering: .relaxed).newValue
                    // The spinner runs until all others were served.
                    while count == 1000, !spinner.interrupt() { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
        #expect(progress.served.load(ordering: .relaxed) == 1000)
        for (index, session) in sessions.enumerated() {
            let rendering = await session.rendering
            #expect(rendering["id"] == .int(index + 1))
            #expect(rendering["n"] == 1)
            #expect(rendering["leaks"] == false)
        }
        try await spinner.send("add")
        #expect(await spinner.rendering["n"] == 1)
    }

    @Test func sessionsOfOneSeedDrawTheSameNumbers() async throws {
        let first = try await open(1)
        let second = try await open(1)
        for _ in 0..<5 { try await first.send("add") }
        for _ in 0..<5 { try await second.send("add") }
        #expect(await first.rendering == second.rendering)
    }
}

/// Runs its jobs one by one on a separate thread, because other tests may occupy the shared ones.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "own thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
