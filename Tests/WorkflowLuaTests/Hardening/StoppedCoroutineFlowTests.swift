import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkflowLua

/// A flow that closes a coroutine which a limit has ended is told what the user was told.
@Suite struct StoppedCoroutineFlowTests {
    private static let spin = "while true do end"
    private static let fill = "pcall(function() local t = {} while true do t[#t + 1] = {} end end)"

    private func flow(_ body: String) -> String {
        """
        local co
        return { name = "a", state = {}, render = function(state) return state.said or "" end,
            apply = {
                arm = function()
                    co = coroutine.create(function() \(body) end)
                    coroutine.resume(co)
                end,
                go = function(state) state.said = select(2, coroutine.close(co)) end,
            } }
        """
    }

    private func play(_ body: String, _ limit: (inout LuaVM.Options) -> Void) throws {
        var options = LuaFlow.Options()
        options.limits.timeLimit = .unreached
        limit(&options.limits)
        let source = flow(body), given = options
        let host = try unhurried { try FlowHost(source, options: given) }
        try host.send("arm")
        let error = try #require(host.errors.first)
        _ = try unhurried { try host.send("go") }
        #expect(host.rendering == .string(error.message))
    }

    @Test(arguments: [50, 1001, 1250, 2000])
    func closeSaysWhatTheTimeLimitSays(milliseconds: Int) throws {
        try play(Self.spin) { $0.timeLimit = .milliseconds(milliseconds) }
    }

    @Test func closeSaysWhatTheInstructionLimitSays() throws {
        try play(Self.spin) { $0.instructionLimit = 100_000 }
    }

    @Test(arguments: [4 << 20, (4 << 20) + 1024, (4 << 20) + 1])
    func closeSaysWhatTheMemoryLimitSays(bytes: Int) throws {
        try play(Self.fill) { $0.memoryLimit = bytes }
    }

    /// The function that decides about access runs under the same limits as an action.
    @Test func accessClosesWhatALimitEnded() throws {
        let source = """
            local co
            return { name = "a", state = {}, render = function() return co ~= nil end,
                access = function()
                    if co then return coroutine.close(co) end
                    co = coroutine.create(function()
                        local x <close> = setmetatable({}, { __close = function() while true do end end })
                        while true do end
                    end)
                    return coroutine.resume(co)
                end,
                apply = { go = function(state) coroutine.close(co) end } }
            """
        var options = LuaFlow.Options()
        options.limits.timeLimit = .unreached
        options.limits.instructionLimit = 100_000
        let host = try FlowHost(source, options: options)
        let error = #expect(throws: FlowError.self) {
            try host.flow.allows("me", ["do": "send"], state: [:], props: [:])
        }
        #expect(error?.code == .instructionLimit)
        #expect(try !host.flow.allows("me", ["do": "send"], state: [:], props: [:]))
        try host.send("go")
        #expect(host.errors.isEmpty)
    }
}
