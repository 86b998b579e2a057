import FlowProtocol
import FlowTesting
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

/// A limit ends what a script does wherever the host calls it, and the session goes on.
@Suite(.timeLimit(.minutes(15))) struct StopPlaceTests {
    /// Bodies of a function that go on after they are stopped, as far as Lua lets them.
    private static let evasions = [
        "while true do pcall(function() while true do end end) end",
        "while true do xpcall(error, function() while true do end end) end",
        "while true do xpcall(error, function(e) error(e) end) end",
        "while true do pcall(function() local x <close> = spinner while true do end end) end",
        "local co = coroutine.create(function() local x <close> = spinner coroutine.yield() end) "
            + "coroutine.resume(co) coroutine.close(co)",
        "kept = coroutine.create(function() local x <close> = spinner while true do end end) "
            + "coroutine.resume(kept) coroutine.close(kept)",
        "local f = coroutine.wrap(function() while true do coroutine.yield() end end) "
            + "while true do pcall(f) end",
        "local function deeper() coroutine.wrap(deeper)() end while true do pcall(deeper) end",
        "table.sort({ 3, 1, 2 }, function() while true do end end)",
        "(('x'):rep(9)):gsub('.', function() while true do end end)",
        "for _ in function() return 1 end do end",
        "local _ = setmetatable({}, { __index = function() while true do end end }).x",
        "local m = { __lt = function() while true do end end } "
            + "local _ = setmetatable({}, m) < setmetatable({}, m)",
        "tostring(setmetatable({}, { __tostring = function() while true do end end }))",
        "error(setmetatable({}, { __tostring = function() while true do end end }))",
        "while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end",
    ]

    /// The places from which the host calls the code that evades its limit.
    enum Place: String, CaseIterable { case state, render, apply, access, migrate, expression }

    private static func flow(_ body: String, in place: Place?, version: Int = 1) -> String {
        func evading(_ name: Place) -> String { name == place ? "evade()" : "" }
        return """
            local kept
            local spinner = setmetatable({}, { __close = function() while true do end end })
            local function evade() \(body) end
            return {
                name = "flow", version = \(version),
                state = function() \(evading(.state)) return { n = 0 } end,
                apply = {
                    add = function(state) state.n = state.n + 1 end,
                    go = function(state) state.goes = true \(evading(.apply)) end,
                    close = function(state)
                        state.goes = nil
                        state.closed = not (kept and coroutine.close(kept))
                    end,
                },
                access = function() \(evading(.access)) return true end,
                migrate = function(state) \(evading(.migrate)) return state end,
                render = function(state)
                    if state.goes then \(evading(.render)) end
                    return { n = state.n, closed = state.closed, evade = state.evade }
                end,
            }
            """
    }

    private static func limits(_ isolation: LuaVM.Options.Isolation) -> LuaVM.Options {
        var limits = LuaVM.Options.unhurried
        limits.instructionLimit = 200_000
        limits.memoryLimit = 8 << 20
        limits.isolation = isolation
        return limits
    }

    private func expectStop(_ error: FlowError?) {
        // A migration tells it in its own error.
        let isStop =
            [.instructionLimit, .memoryLimit, .depth].contains(error?.code)
            || error?.message.contains(": stopped ") == true
        #expect(isStop, "\(String(describing: error))")
    }

    private func meetLimit(
        in place: Place, of session: FlowSession, _ folder: Folder, _ body: String
    ) async throws {
        switch place {
        case .state: break
        case .render, .apply: try await session.send("go")
        case .access: _ = try await session.allows(Principal("bob"), ["do": "read"])
        case .migrate:
            try folder.write(Self.flow(body, in: .migrate, version: 2), to: "flow.lua")
            try await session.reload()
        case .expression:
            let failure = Mutex<FlowError?>(nil)
            let expression = """
                (function()
                    local kept
                    local spinner = setmetatable({}, { __close = function() while true do end end })
                    do \(body) end
                end)()
                """
            let request: Value = ["id": 1, "do": "eval", "expression": .string(expression)]
            _ = await session.serve(request.json) { kind in
                guard case .reply(_, _, let error) = kind else { return }
                failure.withLock { $0 = error }
            }
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    @Test(arguments: evasions, Place.allCases)
    func aSessionGoesOn(body: String, place: Place) async throws {
        for isolation in LuaVM.Options.Isolation.all {
            let folder = try Folder()
            try folder.write(Self.flow(body, in: place), to: "flow.lua")
            let source = FlowSource.file(folder.path("flow.lua"))
            let options = FlowOptions(limits: Self.limits(isolation))
            guard place != .state else {
                let error = await #expect(throws: FlowError.self) {
                    _ = try await FlowSession.open(source, options: options)
                }
                expectStop(error)
                continue
            }
            let session = try await FlowSession.open(source, options: options)
            let error = await #expect(throws: FlowError.self) {
                try await meetLimit(in: place, of: session, folder, body)
            }
            expectStop(error)
            // What has ended is not gone on with by later calls.
            try await session.send("close")
            #expect(await session.rendering["closed"] == true)
            try await session.send("add")
            #expect(await session.rendering["n"] == 1)
            await session.close()
        }
    }

    @Test(arguments: evasions) func testsThatFollowAreRun(body: String) throws {
        for isolation in LuaVM.Options.Isolation.all {
            let text = """
                local kept
                local spinner = setmetatable({}, { __close = function() while true do end end })
                it("evades", function() \(body) end)
                it("closes", function() if kept then coroutine.close(kept) end end)
                it("is run", function() expect(1):equals(1) end)
                """
            let results = try FlowTestFile(
                .text(text, name: "some_test.lua"),
                options: FlowTestOptions(limits: Self.limits(isolation))
            ).run()
            #expect(results.count == 3)
            expectStop(results.first?.failure?.error)
            #expect(results.dropFirst().allSatisfy { $0.failure == nil }, "\(results)")
        }
    }
}
