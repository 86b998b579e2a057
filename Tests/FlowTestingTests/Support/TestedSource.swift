import FlowTesting
import Testing
import WorkflowKit
import WorkflowLua

/// Runs one test of the flow `Flow` below, given as the body of a function.
func outcome(
    of body: String, options: FlowTestOptions = FlowTestOptions()
) throws -> FlowTestResult.Outcome {
    let results = try FlowTestFile(
        .text(
            "local Flow = require \"flow\"\nit(\"works\", function()\n\(body)\nend)",
            name: "flow_test.lua", modules: ["flow": flow]), options: options
    ).run()
    return try #require(results.first).outcome
}

func failure(
    of body: String, options: FlowTestOptions = FlowTestOptions()
) throws -> FlowTestFailure {
    guard case .failed(let failure) = try outcome(of: body, options: options) else {
        throw NoFailure()
    }
    return failure
}

/// Returns true if the test passed. A failure is recorded as an issue.
func passes(_ body: String, options: FlowTestOptions = FlowTestOptions()) throws -> Bool {
    switch try outcome(of: body, options: options) {
    case .passed: return true
    case .pending: return false
    case .failed(let failure):
        Issue.record("\(failure.error) \(failure.mismatches.flatMap(\.lines))")
        return false
    }
}

struct NoFailure: Error {}

let flow = """
    local Child = { name = "child", state = { open = false } }

    Child.apply = { open = function(state) state.open = true end }

    function Child.render(state, context) return { open = context:sink("open") } end

    local Flow = { name = "flow", state = { n = 0 } }

    Flow.apply = {
        add = function(state, action, context)
            state.n = state.n + (action.by or 1)
            state.at = context.now
        end,
        spoil = function(state)
            state.n = 100
            error("no luck")
        end,
        break_render = function(state) state.broken = true end,
        tell = function(state) return { n = state.n } end,
        drop = function(state) state.childless = true end,
        load = function(state, action) state.url = action.url or "here" end,
        loaded = function(state, action) state.url, state.body = nil, action.output end,
        failed = function(state, action) state.url, state.failure = nil, action.error end,
        wait = function(state, action) state.wait = action.seconds end,
        waited = function(state) state.wait, state.waited = nil, true end,
        tick = function(state, action) state.ticks = action.output.tick end,
        every = function(state, action) state.every = action.seconds end,
        draw = function(state, _, context) state.n = context:random(1000000) end,
        swap = function(state) state.native = true end,
        say = function() print("said") end,
        spin = function() while true do end end,
    }

    function Flow.render(state, context)
        assert(not state.broken, "it is broken")
        if state.url then
            context:run("web.get", { url = state.url }, {
                key = "page", on_output = "loaded", on_error = "failed",
            })
        end
        if state.wait then
            context:run("clock.after", { seconds = state.wait }, { on_finish = "waited" })
        end
        if state.every then
            context:run("clock.every", { seconds = state.every }, { on_output = "tick" })
        end
        return {
            n = state.n,
            step = context.props.step,
            add = context:sink("add", { by = 2 }),
            child = not state.childless and context:render(Child, {}) or nil,
            native = state.native and context:render("panel", { n = state.n }) or nil,
        }
    end

    return Flow
    """
