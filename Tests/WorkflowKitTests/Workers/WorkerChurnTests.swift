import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// Every declared worker starts once and stops once, whatever the flow does.
@Suite(.timeLimit(.minutes(15))) struct WorkerChurnTests {
    private static let passes = 10_000

    /// Declares random workers: two kinds under a few keys in the root and in children. Some end by
    /// themselves, and the flow sometimes fails.
    private static let flow = FlowSource.text(
        """
        local function declare(state, context)
            for slot, input in pairs(state.slots) do
                if input ~= 0 then
                    context:run(input % 3 == 0 and "brief.run" or "probe.run", { id = input }, {
                        key = slot, on_output = "got", on_finish = "got",
                    })
                end
            end
        end

        local function put(state, _, context)
            state.slots[context:random(3)] = context:random(0, 5)
        end

        local function got() end

        local Child = { name = "child", state = { slots = { 0, 0, 0 } } }
        Child.apply = { put = put, got = got }
        function Child.render(state, context)
            declare(state, context)
            return context:sink("put")
        end

        local Flow = { name = "flow", state = { slots = { 0, 0, 0 }, children = {} } }
        Flow.apply = {
            put = put,
            got = got,
            add = function(state, _, context) state.children[context:random(4)] = true end,
            remove = function(state, _, context) state.children[context:random(4)] = false end,
            fail = function(state, action, context)
                put(state, action, context)
                error("no luck")
            end,
            lock = function(state, action, context)
                put(state, action, context)
                state.isLocked = true
            end,
            unlock = function(state) state.isLocked = false end,
        }
        function Flow.render(state, context)
            declare(state, context)
            local sinks = {}
            for id = 1, 4 do
                if state.children[id] then
                    sinks[#sinks + 1] = context:render(Child, {}, { key = id })
                end
            end
            assert(not state.isLocked, "it is locked")
            return sinks
        end
        return Flow
        """)

    @Test func everyWorkerStartsOnceAndStopsOnce() async throws {
        var random = SeededNumbers.printed(or: 42)
        let probe = ProbePlugin()
        let brief = Plugin(
            "brief", version: "1.0.0",
            definitions: [
                WorkerDefinition(name: "brief.run", summary: "") { _, _, outputs in
                    try await outputs.send("done")
                }
            ])
        let recorder = EventRecorder()
        let session = try await FlowSession.open(
            Self.flow,
            options: FlowOptions(
                limits: .unhurried, plugins: try .init([probe.plugin, brief]),
                keepsTimeline: false),
            onEvent: recorder.note)
        let actions: [Value] = ["put", "put", "put", "add", "remove", "fail", "lock", "unlock"]
        for _ in 0..<Self.passes {
            let sinks = await session.rendering.list ?? []
            if !sinks.isEmpty, Int.random(in: 0..<2, using: &random) == 0 {
                // The child may have gone since the last successful rendering.
                try? await session.send(sink: sinks.randomElement(using: &random) ?? .null)
            } else {
                try? await session.send(actions.randomElement(using: &random) ?? .null)
            }
        }
        #expect(await session.close(within: .unreached) == [])

        var running: Set<String> = []
        var starts = 0
        var stops: [String: Int] = [:]
        for event in recorder.all {
            guard case .worker(let phase, let worker, let key, let node) = event.kind else {
                continue
            }
            let name = "\(node)/\(worker):\(key)"
            switch phase {
            case .started:
                starts += 1
                #expect(running.insert(name).inserted, "\(name) starts twice")
            case .output:
                #expect(running.contains(name), "\(name) gives an output while it does not run")
            default:
                stops[phase.name, default: 0] += 1
                #expect(running.remove(name) != nil, "\(name) stops twice")
            }
        }
        #expect(running == [])
        #expect(starts > Self.passes / 10)
        #expect(stops["cancelled"] ?? 0 > Self.passes / 100)
        #expect(stops["finished"] ?? 0 > Self.passes / 100)
        #expect(Set(stops.keys) == ["cancelled", "finished"])
        // A worker dropped at once need not have started. All other runs did, and have ended.
        #expect(probe.begun <= starts)
        #expect(probe.begun == probe.ended)
        await probe.close()
    }
}
