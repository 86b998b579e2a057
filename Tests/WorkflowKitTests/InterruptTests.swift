import Foundation
import LuaVM
import PlainValue
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct InterruptTests {
    private static let flow = """
        return {
            name = "spinner",
            state = { n = 0 },
            apply = {
                add = function(state) state.n = state.n + 1 end,
                spin = function(state)
                    state.n = 100
                    print("spinning") while true do pcall(function() while true do end end) end
                end,
                show = function(state) state.shows = true end,
            },
            render = function(state)
                if state.shows then print("spinning") end while state.shows do end
                return { n = state.n }
            end,
        }
        """

    private let hasPrinted = DispatchSemaphore(value: 0)

    private func makeSession() -> FlowSession {
        var options = FlowOptions()
        options.limits.timeLimit = nil
        return FlowSession(options: options) { [hasPrinted] event in
            if case .log = event.kind { hasPrinted.signal() }
        }
    }

    private func open() async throws -> FlowSession {
        let session = makeSession()
        try await session.start(.text(Self.flow))
        return session
    }

    /// Runs a call that prints a line and does not end, and interrupts it after the line.
    private func interrupt(
        _ session: FlowSession, _ body: @Sendable @escaping () async throws(FlowError) -> Void
    ) async throws -> FlowError {
        let task = Task { () -> FlowError? in
            do throws(FlowError) { try await body() } catch { return error }
            return nil
        }
        // On a separate thread, because spinning flows may occupy all threads of tasks.
        Thread.detachNewThread { [hasPrinted] in
            hasPrinted.wait()
            session.interrupt()
        }
        return try #require(await task.value)
    }

    @Test func actionIsRolledBackAndTheSessionGoesOn() async throws {
        let session = try await open()
        try await session.send("add")
        let error = try await interrupt(session) { () throws(FlowError) in
            try await session.send("spin")
        }
        #expect(error.code == .interrupted)
        #expect(
            error.description == "flow.lua:8: the call was interrupted (in apply.spin of spinner)")
        #expect(await session.rendering == ["n": 1])
        #expect(await session.stepCount == 1)
        try await session.send("add")
        #expect(await session.rendering == ["n": 2])
        #expect(!session.interrupt())
    }

    @Test func renderingThatIsInterruptedLeavesTheLastOne() async throws {
        let session = try await open()
        let error = try await interrupt(session) { () throws(FlowError) in
            try await session.send("show")
        }
        #expect(error.description == "flow.lua:13: the call was interrupted (in render of spinner)")
        #expect(await session.rendering == ["n": 0])
        try await session.undo()
        try await session.send("add")
        #expect(await session.rendering == ["n": 1])
    }

    @Test func expressionIsInterrupted() async throws {
        let session = try await open()
        let error = try await interrupt(session) { () throws(FlowError) in
            _ = try await session.value(of: "(function() print(1) while true do end end)()")
        }
        #expect(error.description == "input:1: the call was interrupted")
    }

    @Test func flowThatIsBeingLoadedIsInterrupted() async throws {
        let session = makeSession()
        let error = try await interrupt(session) { () throws(FlowError) in
            try await session.start(.text("print(1) while true do end"))
        }
        #expect(error.code == .interrupted)
        #expect(error.location == FlowError.Location(file: "flow.lua", line: 1))
    }

    @Test func sessionThatPlaysNothingHasNothingToInterrupt() async {
        #expect(!FlowSession().interrupt())
    }
}
