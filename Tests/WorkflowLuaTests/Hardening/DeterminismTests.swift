import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkflowLua

@Suite struct DeterminismTests {
    private static let source = """
        local Flow = {}
        local function shown(t)
            local parts = {}
            for k, v in pairs(t) do parts[#parts + 1] = tostring(k) .. "=" .. tostring(v) end
            return table.concat(parts, ",")
        end
        function Flow.state()
            local t = {}
            for i = 1, 300 do t["key " .. (i * 7919) % 1009] = i end
            return { t = t, n = 0, log = {} }
        end
        Flow.apply = {
            mix = function(state, action, context)
                state.n = state.n + 1
                for k, v in pairs(state.t) do
                    if (v + state.n) % 11 == 0 then state.t[k] = nil end
                end
                for i = 1, 20 do state.t[("%x"):format(context:random(1, 1 << 40))] = math.random(1000) end
                state.first = next(state.t)
                local odd = { [true] = 1, [false] = 2, [1.5] = 3, [-1] = 4, [1] = 5, [2] = 6, z = 7, a = 8, [math.huge] = 9 }
                state.odd = shown(odd)
                state.names = { tostring({}), tostring(print), tostring(coroutine.create(print)), ("%s %p"):format({}, print) }
                local co = {}
                for i = 1, 3 do
                    co[i] = coroutine.wrap(function() for k in pairs(state.t) do coroutine.yield(k) end end)
                end
                for i = 1, 12 do state.log[#state.log % 40 + 1] = co[i % 3 + 1]() end
                local list = {}
                for k, v in pairs(state.t) do list[#list + 1] = { k, v } end
                table.sort(list, function(a, b) return a[2] < b[2] end)
                state.sorted = list[1][1] .. list[#list][1]
                state.floats = { 1e300 * state.n, state.n / 3, ("%.14g"):format(state.n / 7) }
                state.failed = { pcall(error, { 1 }), select(2, pcall(function() local x = nil + state.n end)) }
                return shown(state.t)
            end,
        }
        function Flow.render(state, context)
            return { state = state, mix = context:sink("mix", { n = state.n }), text = shown(state.t) }
        end
        return Flow
        """

    private func record() throws -> String {
        var options = LuaFlow.Options(now: { 12_000 })
        options.limits.seed = 7
        options.limits.timeLimit = .unreached
        let host = try FlowHost(Self.source, options: options)
        var text = host.rendering.json
        for _ in 0..<8 {
            try host.send("mix")
            text += host.rendering.json
        }
        #expect(host.errors.isEmpty)
        return text + host.outputs.map(\.json).joined()
    }

    @Test func aHundredRunsAreTheSameToTheByte() throws {
        let first = try record()
        for run in 2...100 { #expect(try record() == first, "run \(run)") }
    }

    /// Addresses and hash seeds differ between processes. An effect would change this number.
    @Test func everyProcessGivesTheSameBytes() throws {
        #expect(StableHash(try record().utf8).value == 8_988_176_149_530_509_720)
    }
}
