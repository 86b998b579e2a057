import ClockPlugin
import LuaVM
import PlainValue
import TestSupport
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The flow of a simulation, and the same in Swift: what comes of a log.
struct SimulatedFlow {
    static let source = FlowSource.text(
        """
        local Flow = {
            name = "simulated",
            state = { keys = "", count = 0, asked = 0, got = 0, armed = 0, rung = 0 },
        }

        local function note(state, action)
            state.keys = state.keys .. action.key .. " "
            state.count = state.count + 1
            return state.count
        end

        Flow.apply = {
            add = note,
            ask = function(state, action)
                state.asked = state.asked + 1
                return note(state, action)
            end,
            arm = function(state, action)
                state.armed = state.armed + 1
                return note(state, action)
            end,
            got = function(state, action) state.got = action.output end,
            ring = function(state) state.rung = state.rung + 1 end,
        }

        function Flow.render(state, context)
            if state.got < state.asked then
                context:run("test.number", { after = state.got }, { on_output = "got" })
            end
            if state.rung < state.armed then
                -- Another input is another timer.
                local seconds = 0.3 + state.rung / 1000
                context:run("clock.after", { seconds = seconds }, { on_output = "ring" })
            end
            return { keys = state.keys, got = state.got, rung = state.rung }
        end

        return Flow
        """, name: "simulated.lua")

    static let types = ["add", "ask", "arm"]

    /// The milliseconds of the first timer; each later one takes one more.
    private static let timer = 300

    /// - Parameter onWork: Called with a session when its worker begins, with true, or ends.
    static func options(
        _ scheduler: SeededScheduler, duration: Duration,
        onWork: @escaping @Sendable (_ session: String, _ begins: Bool) -> Void
    ) throws -> FlowOptions {
        var options = FlowOptions()
        let worker = SlowNumber(duration: duration, onWork: onWork)
        options.plugins = try WorkerRegistry([
            ClockPlugin.plugin, Plugin("test", version: "1", workers: [worker]),
        ])
        options.clock = SeededClock(scheduler: scheduler)
        options.now = { 1_700_000_000_000 + Int(scheduler.time / .milliseconds(1)) }
        options.limits.timeLimit = .unreached
        return options
    }

    // MARK: The flow in Swift

    private(set) var keys: [String] = []
    private var asked = 0
    private var got = 0
    private var armed = 0
    private var rung = 0
    private var armedAt: Int?

    /// True if no worker has to run.
    var isDone: Bool { got == asked && rung == armed }

    var rendering: Value {
        ["keys": .string(keys.map { $0 + " " }.joined()), "got": .int(got), "rung": .int(rung)]
    }

    /// Plays an input, and returns the fault.
    mutating func play(_ input: FlowInput) -> String? {
        let time = input.milliseconds
        switch input.kind {
        case .action(let action, _):
            keys.append(action["key"]?.string ?? "")
            switch action["type"] {
            case "ask": asked += 1
            case "arm":
                armed += 1
                armedAt = armedAt ?? time
            default: break
            }
            return nil
        case .worker(let news):
            guard case .output(let output) = news.event else { return nil }
            if news.worker == SlowNumber.name {
                guard output == .int(got + 1), got < asked else {
                    return "the worker gave \(output) after \(got) of \(asked)"
                }
                got += 1
                return nil
            }
            guard let began = armedAt, time >= began + Self.timer + rung else {
                return
                    "a timer that began at \(armedAt.map { "\($0)" } ?? "no time") rang at \(time)"
            }
            rung += 1
            armedAt = rung < armed ? time : nil
            return nil
        case .props: return "nobody has sent props"
        }
    }
}

/// `test.number`: the next number, after a while.
private struct SlowNumber: PluginWorker {
    static let name = "test.number"
    static let summary = "Gives the next number after a while."

    struct Input: Codable, Sendable { var after: Int }

    let duration: Duration
    let onWork: @Sendable (_ session: String, _ begins: Bool) -> Void

    func run(_ input: Input, context: WorkerContext) async throws -> Int {
        let session = context.identity?.session ?? ""
        onWork(session, true)
        defer { onWork(session, false) }
        try await context.sleep(for: duration)
        return input.after + 1
    }
}
