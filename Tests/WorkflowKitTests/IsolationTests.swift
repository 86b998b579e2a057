import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import Workflow
@testable import WorkflowKit
import Workflow
import WorkflowLua

#if os(Linux)
    /// Kills a process, and waits until it is dead or unknown.
    private func end(_ process: Int32) async throws {
        kill(process, SIGKILL)
        while true {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let state = text.split(separator: ")").last?.split(separator: " ").first
            else { return }
            // Its threads may outlive the first one briefly.
            let threads = try? FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(process)/task")
            if state == "Z", threads?.count ?? 0 < 2 { return }
            await Task.yield()
        }
    }

    private func endWhenBusy(_ process: Int32) {
        var ticks = 0
        while ticks < 5, kill(process, 0) == 0 {
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
            ticks = fields.count > 11 ? Int(fields[11]) ?? 0 : 0
            sched_yield()
        }
        kill(process, SIGKILL)
    }

    /// Reports the number of its owner's renders.
    private struct Renders: Workflow {
        let count: Int
        func makeInitialState() {}
        func render(state: Void, context: RenderContext<Renders>) -> Int { count }
    }

    @Suite struct IsolationTests {
        private static let flow = """
            local count = 0
            local function die() print("die") while true do pcall(error) end end
            print("loading")
            local Row = {
                name = "row",
                state = { n = 0 },
                apply = {
                    add = function(state) state.n = state.n + 1 return { n = state.n } end,
                },
                render = function(state, context) return { n = state.n, add = context:sink("add") } end,
            }
            return {
                name = "flow",
                state = { n = 0, heard = {} },
                apply = {
                    add = function(state, _, context)
                        state.n = state.n + 1
                        state.drawn = { context:random(1000), math.random(1000) }
                        count = count + 1
                    end,
                    die = function(state)
                        state.n = 99
                        math.random(10)
                        die()
                    end,
                    die_when_shown = function(state) state.dies = true end,
                    live = function(state) state.dies = nil end,
                    try = function(state) state.n = state.n + 1 state.tries = true end,
                    heard = function(state, action) state.heard[#state.heard + 1] = action.output end,
                },
                render = function(state, context)
                    if state.dies then die() end
                    if state.tries then print("trying") end
                    context:run("ear", {}, { on_output = function(output) return { type = "heard", output = output } end })
                    local row = context:render(Row, {}, {
                        on_output = function(output) return { type = "heard", output = output.n } end,
                    })
                    return { n = state.n, heard = state.heard, drawn = state.drawn, count = count, row = row.n }
                end,
            }
            """

        /// A session that kills its process when a script asks for it.
        private final class MortalSession: Sendable {
            let session: FlowSession

            /// Kills it in two loads after the first `loads`, and in the first `tries` renderings.
            init(isolation: LuaVM.Options.Isolation = .process, loads: Int = .max, tries: Int = 0) {
                var options = FlowOptions(limits: .unhurried, runsWorkers: false)
                options.isolation = isolation
                let known = Box(Mutex(Known()))
                let left = Box(Mutex(loads))
                let tries = Box(Mutex(tries))
                session = FlowSession(options: options) { event in
                    guard case .log(_, let message, _) = event.kind else { return }
                    var kills = message == "die"
                    if message == "loading" {
                        kills = left.content.withLock { left in
                            left -= 1
                            return left < 0 && left >= -2
                        }
                    }
                    if message == "trying" {
                        kills = tries.content.withLock { left in
                            left -= 1
                            return left >= 0
                        }
                    }
                    if kills, let session = known.content.withLock({ $0.session }),
                        let process = session.assumeIsolated({ $0.processID })
                    {
                        kill(process, SIGKILL)
                    }
                }
                let session = session
                known.content.withLock { $0.session = session }
            }

            /// The session, without a reference cycle.
            private struct Known { weak var session: FlowSession? }

            final class Box<Content: ~Copyable & Sendable>: Sendable {
                let content: Content
                init(_ content: consuming Content) { self.content = content }
            }

            func open() async throws -> FlowSession {
                try await session.start(.text(IsolationTests.flow))
                return session
            }

            func killNow() async throws { try await end(#require(await session.processID)) }
        }

        @Test func anActionThatEndsTheProcessIsRolledBackAndTheSessionGoesOn() async throws {
            let stage = MortalSession()
            let session = try await stage.open()
            let other = try await MortalSession(isolation: .none).open()
            for session in [session, other] {
                try await session.send("add")
                try await session.send("add", to: "flow/row")
            }
            let first = try #require(await session.processID)
            let error = try await #require(throws: FlowError.self) { try await session.send("die") }
            #expect(error.code == .processEnded)
            #expect(error.message == "the process that ran the script was ended: signal 9 (killed)")
            #expect(error.help == "the flow goes on in a new process, with the state from before")
            #expect(error.phase == .apply("die"))
            #expect(await session.stepCount == 2)
            #expect(await session.rendering["n"] == 1)
            for session in [session, other] {
                try await session.send("add")
                try await session.send("add", to: "flow/row")
            }
            let second = try #require(await session.processID)
            #expect(first != second)
            let shown = await session.rendering
            for name in ["n", "heard", "drawn", "row"] {
                #expect(await shown[name] == other.rendering[name])
            }
            // A module's local variables are lost with the process.
            #expect(shown["count"] == 1)
            #expect(await other.rendering["count"] == 2)
        }

        @Test func whatComesAfterTheEndIsNotLost() async throws {
            let stage = MortalSession()
            let session = try await stage.open()
            try await session.send("add", to: "flow/row")
            try await stage.killNow()
            try await session.play(
                .worker(WorkerNews(node: "flow", worker: "ear", key: "", event: .output("tick"))))
            #expect(await session.rendering["heard"] == [1, "tick"])
            try await stage.killNow()
            try await session.send("add", to: "flow/row")
            #expect(await session.rendering["heard"] == [1, "tick", 2])
            try await stage.killNow()
            #expect(try await session.value(of: "state.heard[2]") == "tick")
            try await stage.killNow()
            try await session.update(props: ["a": 1])
            try await stage.killNow()
            try await session.undo()
            try await session.undo()
            #expect(await session.rendering["heard"] == [1, "tick"])
            try await stage.killNow()
            try await session.redo()
            #expect(await session.rendering["heard"] == [1, "tick", 2])
            try await stage.killNow()
            #expect(try await session.rendering(at: 1)["heard"] == [1])
            try await stage.killNow()
            #expect(try await session.steps().count == 4)
        }

        @Test func aRenderThatEndsTheProcessLeavesTheActionApplied() async throws {
            let session = try await MortalSession().open()
            try await session.send("add")
            let error = try await #require(throws: FlowError.self) {
                try await session.send("die_when_shown")
            }
            #expect(error.code == .processEnded)
            #expect(error.phase == .render)
            #expect(await session.stepCount == 2)
            #expect(await session.rendering["n"] == 1)
            #expect(await session.state()?["dies"] == true)
            let again = try await #require(throws: FlowError.self) { try await session.send("add") }
            #expect(again.code == .processEnded)
            #expect(await session.state()?["n"] == 2)
            try await session.send("live")
            #expect(await session.rendering["n"] == 2)
            try await session.send("add", to: "flow/row")
            #expect(await session.rendering["heard"] == [1])
        }

        @Test(arguments: [1, 2])
        func theLastRenderingIsShownAlthoughProcessesWereEndedMeanwhile(count: Int) async throws {
            let session = try await MortalSession(tries: count).open()
            let error = try await #require(throws: FlowError.self) { try await session.send("try") }
            #expect(error.code == .processEnded)
            #expect(await session.rendering["n"] == 0)
            await session.renderIfProcessEnded()
            #expect(await session.rendering["n"] == 1)
            try await session.send("add")
            #expect(await session.rendering["n"] == 2)
        }

        @Test func whatKeepsTheFlowFromBeingLoadedAgainIsTold() async throws {
            let stage = MortalSession(loads: 1)
            let session = try await stage.open()
            try await session.send("add")
            try await stage.killNow()
            for _ in 0..<2 {
                let error = try await #require(throws: FlowError.self) {
                    try await session.send("add")
                }
                #expect(error.code == .processEnded)
                #expect(await session.rendering["n"] == 1)
            }
            try await session.send("add")
            #expect(await session.rendering["n"] == 2)
        }

        @Test func theFilesAreAsTheyWereLoaded() async throws {
            let folder = try Folder()
            func write(_ name: String, _ text: String) throws {
                try text.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
            }
            try write("part.lua", "return { text = 'old' }")
            try write(
                "flow.lua",
                """
                local part = require "part"
                return {
                    state = { n = 0 },
                    apply = { add = function(state) state.n = state.n + 1 end },
                    render = function(state) return { n = state.n, text = part.text } end,
                }
                """)
            var options = FlowOptions(limits: .unhurried)
            options.isolation = .process
            let session = try await FlowSession.open(
                .file(folder.path + "/flow.lua"), options: options)
            try await session.send("add")
            try write("part.lua", "return { text = 'new' }")
            try write("flow.lua", "broken")
            let process = try #require(await session.processID)
            try await end(process)
            try await session.send("add")
            #expect(await session.rendering["n"] == 2)
            #expect(await session.rendering["text"] == "old")
            #expect(await session.processID != process)
            await session.close()
            #expect(await session.processID == nil)
        }

        enum Moment: CaseIterable { case apply, render }

        @Test(arguments: Moment.allCases)
        func aProcessThatEndsWhileInputsArePlayedAgainLosesNone(moment: Moment) async throws {
            let renders = MortalSession.Box(Mutex(0))
            let opened = MortalSession.Box(Mutex(FlowSession?.none))
            var options = FlowOptions(
                limits: .unhurried,
                registerNativeWorkflows: { natives in
                    natives.register("renders", props: [String: Int].self) { props in
                        let count = renders.content.withLock { count in
                            count += 1
                            return count
                        }
                        let session = opened.content.withLock { $0 }
                        let process = session?.assumeIsolated { $0.processID } ?? 0
                        switch (moment, count) {
                        case (.apply, 1): Thread.detachNewThread { endWhenBusy(process) }
                        case (.render, 2): kill(process, SIGKILL)
                        default: break
                        }
                        return Renders(count: count)
                    }
                })
            options.isolation = .process
            let flow = """
                local renders
                return {
                    name = "flow",
                    state = { n = 0 },
                    apply = {
                        add = function(state)
                            while \(moment == .apply) and renders == 1 do pcall(error) end
                            state.n = state.n + 1
                        end,
                    },
                    render = function(state, context)
                        renders = context:render("renders", { n = state.n })
                        return { n = state.n }
                    end,
                }
                """
            let session = FlowSession(options: options)
            opened.content.withLock { $0 = session }
            defer { opened.content.withLock { $0 = nil } }
            try await session.start(
                .text(flow),
                replaying: [FlowInput(.action("add", node: NodePath("flow")), milliseconds: 1)])
            #expect(await session.rendering["n"] == 1)
            #expect(renders.content.withLock { $0 } > 2)
            await session.close()
        }

        @Test func aSnapshotGoesOnInAnotherSession() async throws {
            let stage = MortalSession()
            let session = try await stage.open()
            try await session.send("add")
            try await stage.killNow()
            let snapshot = try await session.snapshot()
            let other = MortalSession().session
            try await other.start(.text(Self.flow), restoring: snapshot)
            try await session.send("add")
            try await other.send("add")
            #expect(await other.rendering["drawn"] == session.rendering["drawn"])
        }
    }
#endif
