import LuaVM
import PlainValue
import Testing

/// Every function that scripts can call checks the limits, even when C calls it repeatedly without
/// a Lua instruction in between. Instructions are counted, so no clock decides the result.
@Suite struct OfferedFunctionTests {
    /// All functions of the sandbox, and functions that some of them return.
    private static let names = """
        local names = {}
        local members = { io = io, os = os, debug = debug }
        for name, member in pairs(_ENV) do members[name] = member end
        for name, member in pairs(members) do
            if type(member) == 'function' then names[#names + 1] = name end
            if type(member) == 'table' and member ~= _ENV then
                for field, f in pairs(member) do
                    if type(f) == 'function' then names[#names + 1] = name .. '.' .. field end
                end
            end
        end
        return names
        """
    private static let made = [
        "('aXbX'):rep(9):gmatch('.-X')", "(pairs({ 1, 2, 3 }))", "(pairs({ a = 1, b = 2 }))",
        "(ipairs({ 1, 2, 3 }))", "(utf8.codes('aä'))",
        "coroutine.wrap(function() while true do coroutine.yield() end end)",
        "(function() local w = coroutine.wrap(function() end) w() return w end)()",
        "io.stdout.write", "io.stderr.setvbuf", "library.load", "library.collectgarbage",
        "library.setmetatable", "library.math.randomseed",
    ]

    /// Each sets `go` to a function that makes C call `f` twenty thousand times with few
    /// instructions. If an error of `f` ends that, it may.
    private static let callers: [(name: String, source: String, endsAtErrors: Bool)] = [
        (
            "unwinding",
            """
            local o = setmetatable({}, { __close = f })
            local function deep(n)
                local x <close> = o
                if n == 20000 then coroutine.yield() error('unwind') end
                if n % 200 == 0 then coroutine.yield() end
                deep(n + 1)
                return n
            end
            local co = coroutine.create(function() pcall(deep, 1) end)
            prepare = function() coroutine.resume(co) end
            go = function() coroutine.resume(co) end
            """, false
        ),
        (
            "coroutine.close",
            """
            local o = setmetatable({}, { __close = f })
            local function deep(n)
                local x <close> = o
                if n % 200 == 0 then coroutine.yield() end
                deep(n + 1)
                return n
            end
            local co = coroutine.create(deep)
            prepare = function() coroutine.resume(co, 1) end
            go = function() coroutine.close(co) end
            """, false
        ),
        (
            "print",
            """
            local o, t = setmetatable({}, { __tostring = f }), {}
            prepare = function() for i = 1, 200 do t[#t + 1] = o end end
            go = function() print(table.unpack(t)) end
            """, true
        ),
        (
            "format",
            """
            local o, t = setmetatable({}, { __tostring = f }), {}
            prepare = function() for i = 1, 200 do t[#t + 1] = o end end
            go = function() string.format(('%s'):rep(#t), table.unpack(t)) end
            """, true
        ),
        (
            "gsub",
            """
            prepare = function() end
            go = function() string.gsub(('x'):rep(20000), '.', f) end
            """, true
        ),
        (
            "gsub by __index",
            """
            local o = setmetatable({}, { __index = f })
            prepare = function() end
            go = function() string.gsub(('x'):rep(20000), '.', o) end
            """, true
        ),
        (
            "sort",
            """
            local t = {}
            prepare = function() for i = 1, 120 do t[#t + 1] = -i end end
            go = function() table.sort(t, f) end
            """, true
        ),
        (
            "sort by __lt",
            """
            local o, t = setmetatable({}, { __lt = f }), {}
            prepare = function() for i = 1, 120 do t[#t + 1] = o end end
            go = function() table.sort(t) end
            """, true
        ),
    ]

    private static let functions: [String] = {
        let offered = (try? LuaVM().run(names))?.list?.compactMap(\.string) ?? []
        return offered + made
    }()

    @Test func theFunctionsAreThere() {
        #expect(Self.functions.count > 80)
        #expect(Self.functions.contains("pcall"))
        #expect(Self.functions.contains("string.gsub"))
    }

    @Test(arguments: functions) func aFunctionThatCCallsEndsAtTheLimit(function: String) throws {
        for caller in Self.callers {
            var options = LuaVM.Options()
            options.timeLimit = nil
            options.instructionLimit = 10_000
            options.memoryLimit = 512 << 20
            options.printLimit = 1 << 30
            let vm = try LuaVM(options)
            let globals = try Array("return _G".utf8).withUnsafeBytes {
                try vm.call(vm.loadLibrary($0, chunkName: "library.lua"), returning: .reference)
            }
            try vm.setGlobal("library", to: .reference(#require(globals.reference)))
            let made = try vm.call(
                vm.load(
                    """
                    local f, prepare, go = \(function), nil, nil
                    \(caller.source)
                    return function(ready) if ready then go() else prepare() end end
                    """, chunkName: "caller.lua"), returning: .reference)
            let run = try #require(made.reference)
            for _ in 0..<100 { _ = try vm.call(run, .value(.bool(false))) }
            let code: LuaError.Code?
            do throws(LuaError) {
                _ = try vm.call(run, .value(.bool(true)))
                code = nil
            } catch { code = error.code }
            // The first leaves the unwinding, the second removes the handlers.
            let isOnce = ["coroutine.yield", "setmetatable", "library.setmetatable"]
                .contains(function)
            let isEnded =
                code == .instructionLimit || (caller.endsAtErrors ? code == .runtime : isOnce)
            #expect(isEnded, "\(caller.name): \(String(describing: code))")
        }
    }
}
