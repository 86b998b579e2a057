import CLuaBridge
@testable import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
@testable import WorkflowLua

/// In a flow each of Lua's allocations in turn fails: nothing is lost, and the flow continues.
@Suite struct AllocationFailureTests {
    private static let source = """
        local item = require "item"
        local List = {}
        function List.state(props) return { n = 0, items = { "a", "b" }, log = {} } end
        function List.changed(old, new, state) state.title = new.title end
        List.apply = {
            go = function(state, action, context)
                state.n = state.n + 1
                state.items[#state.items + 1] = ("item %d"):format(context:random(1, 9))
                if #state.items > 4 then table.remove(state.items, 1) end
                local co = coroutine.wrap(function() for k in pairs(state) do coroutine.yield(k) end end)
                state.log = {}
                for k in co do state.log[#state.log + 1] = k:upper():gsub("%w", "<%0>") end
                return { n = state.n }
            end,
            told = function(state, action) state.told = action.output end,
        }
        function List.render(state, context)
            local rows = {}
            for i, name in ipairs(state.items) do
                rows[i] = context:render(item, { name = name }, { key = i, on_output = "told" })
            end
            return { n = state.n, rows = rows, go = context:sink("go"), more = context:sink("go", { by = 2 }) }
        end
        return List
        """
    private static var modules: FlowModules { FlowModules(["item": item]) }
    private static let item = """
        return {
            state = function(props) return { name = props.name, taps = 0 } end,
            changed = function(old, new, state) state.name = new.name end,
            apply = { tap = function(state) state.taps = state.taps + 1 return state.taps end },
            render = function(state, context) return { state.name, context:sink("tap") } end,
        }
        """

    private final class Play {
        let flow: LuaFlow
        let host: WorkflowHost<LuaWorkflow>
        private let reports = Reports()
        var failure: FlowError? { reports.failure }

        private final class Reports { var failure: FlowError? }

        init(largeCount: Int) throws {
            var options = LuaFlow.Options(limits: .unhurried, checksRenders: true)
            options.limits.largeCount = largeCount
            flow = try LuaFlow(source: source, name: "list.lua", modules: modules, options: options)
            host = WorkflowHost(
                workflow: flow.workflow(),
                options: HostOptions(onReport: { [reports] report in
                    if case .failure(let failed) = report {
                        reports.failure = failed.error as? FlowError
                    }
                }))
        }

        var vm: LuaVM { flow.workflow().runtime.vm }
        var n: Int { host.rendering.value["n"]?.int ?? -1 }

        /// Sends `go` while allocations fail. Returns true if none followed the successful ones.
        func send(failing count: Int, once: Bool) throws -> Bool {
            reports.failure = nil
            lb_fail_allocation(vm.bridge, Int64(count), once)
            defer { lb_fail_allocation(vm.bridge, -1, false) }
            _ = try flow.send("go", to: NodePath([.init(name: flow.name)]), in: host)
            return lb_allocation_countdown(vm.bridge) >= 0
        }
    }

    @Test(arguments: [true, false], [256, 0])
    func theFlowGoesOnWithItsStateWhenAnyAllocationFails(once: Bool, largeCount: Int) throws {
        let play = try Play(largeCount: largeCount)
        _ = try play.send(failing: .max, once: once)
        for failing in 0..<20_000 {
            let before = play.host.rendering.value
            let n = play.n
            let isDone = try play.send(failing: failing, once: once)
            let failure = play.failure
            if let failure {
                #expect(failure.code == .memoryLimit, "allocation \(failing): \(failure)")
                #expect(play.host.rendering.value == before)
            }
            _ = try play.send(failing: .max, once: once)
            #expect(play.failure == nil)
            let applied = play.n - n
            switch failure?.phase {
            case .apply, .answer: #expect(applied == 1, "rolled back, allocation \(failing)")
            // Only the pass failed; the action before it succeeded.
            case .render, .state, .changed: #expect(applied == 2, "allocation \(failing)")
            default: #expect(failure == nil ? applied == 2 : (1...2).contains(applied))
            }
            if isDone { return }
        }
        Issue.record("there is no end of allocations")
    }

    @Test(arguments: [true, false], [256, 0])
    func nothingIsLostWhenAllocationsFail(once: Bool, largeCount: Int) throws {
        let play = try Play(largeCount: largeCount)
        func settled() throws -> Int {
            for _ in 0..<8 { _ = try play.send(failing: .max, once: once) }
            for _ in 0..<4 { play.vm.collectGarbage() }
            return play.vm.memoryInUse
        }
        // The first failures make what later ones need, such as a stack for their diagnosis.
        for failing in 0..<400 { _ = try play.send(failing: failing, once: once) }
        let before = try settled()
        for failing in 0..<400 { _ = try play.send(failing: failing, once: once) }
        let after = try settled()
        #expect(after <= before + 16 << 10)
    }

    @Test(arguments: [true, false])
    func whenAnyAllocationFailsLoadingIsRefusedOrDone(once: Bool) throws {
        for failing in 0..<20_000 {
            let runtime = try FlowRuntime(options: LuaFlow.Options(limits: .unhurried))
            let module = FlowModules.Module(file: "list.lua", source: Array(Self.source.utf8))
            func load() throws(FlowError) { _ = try runtime.load(module, modules: Self.modules) }
            lb_fail_allocation(runtime.vm.bridge, Int64(failing), once)
            var failure: FlowError?
            do throws(FlowError) { try load() } catch { failure = error }
            let isDone = lb_allocation_countdown(runtime.vm.bridge) >= 0
            lb_fail_allocation(runtime.vm.bridge, -1, false)
            #expect(
                failure == nil || failure?.code == .memoryLimit,
                "allocation \(failing): \(failure as Any)")
            #expect(throws: Never.self) { try load() }
            if isDone { return }
        }
        Issue.record("there is no end of allocations")
    }

    /// From no memory to enough: with any limit, a flow is refused or plays.
    @Test func underAnyMemoryLimitAFlowIsRefusedOrPlays() throws {
        var played = 0
        for limit in stride(from: 0, to: 160_000, by: 500) {
            var options = LuaFlow.Options(limits: .unhurried)
            options.limits.memoryLimit = limit
            do throws(FlowError) {
                let flow = try LuaFlow(
                    source: Self.source, name: "list.lua", modules: Self.modules, options: options)
                let host = WorkflowHost(
                    workflow: flow.workflow(), options: HostOptions(onReport: { _ in }))
                for _ in 0..<20 {
                    let path = NodePath([.init(name: flow.name)])
                    if case .applied? = try? flow.send("go", to: path, in: host) { played += 1 }
                }
            } catch { #expect(error.code == .memoryLimit, "\(limit): \(error)") }
        }
        #expect(played > 1000)
    }
}
