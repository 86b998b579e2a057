import PlainValue
import TestSupport
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

struct WorkerScene {
    let session: FlowSession
    let log: WorkerLog

    init(
        _ flow: FlowSource = .runner, plugins: [Plugin], props: Value = [:],
        keepsTimeline: Bool = true
    ) async throws {
        let log = WorkerLog()
        self.log = log
        session = try await FlowSession.open(
            flow,
            options: FlowOptions(
                props: props, limits: .unhurried, plugins: try WorkerRegistry(plugins),
                keepsTimeline: keepsTimeline), onEvent: { log.add($0) })
    }

    func run(_ worker: String, _ input: Value = [:], handlesErrors: Bool = false) async throws {
        try await session.send([
            "type": "run", "worker": .string(worker), "input": input,
            "handles": .bool(handlesErrors),
        ])
    }

    func shown(_ field: String) async -> Value? { await session.rendering[field] }
}

extension FlowSource {
    /// A flow that declares the worker named by the last action `run`.
    static let runner = text(runnerText, name: "flow.lua")

    static let runnerText = """
        local Flow = { name = "flow", state = { count = 0 } }

        Flow.apply = {
            run = function(state, action)
                state.worker, state.input = action.worker, action.input
                state.handles = action.handles
            end,
            stop = function(state) state.worker = nil end,
            got = function(state, action) state.count, state.last = state.count + 1, action.output end,
            failed = function(state, action) state.failure = action.error end,
            ended = function(state) state.ended = true end,
            touch = function(state) state.touched = (state.touched or 0) + 1 end,
            spoil = function(state)
                state.worker = nil
                error("no luck")
            end,
            lock = function(state) state.isLocked, state.worker = true, nil end,
            lock_other = function(state) state.isLocked, state.input = true, { id = "other" } end,
            unlock = function(state, action) state.isLocked, state.worker = false, action.worker end,
        }

        function Flow.render(state, context)
            if state.worker then
                context:run(state.worker, state.input, {
                    on_output = "got",
                    on_error = state.handles and "failed" or nil,
                    on_finish = "ended",
                })
            end
            assert(not state.isLocked, "it is locked")
            return {
                count = state.count,
                last = state.last,
                failure = state.failure,
                ended = state.ended,
                touched = state.touched,
            }
        end

        return Flow
        """
}
