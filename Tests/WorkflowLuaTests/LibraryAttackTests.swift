import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

/// Libraries that try to escape: each is a module that returns the function for the action `go`.
@Suite struct LibraryAttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: String
        /// The outcomes: the code of the error, or `n` and the number that the state gets.
        let outcomes: [String]

        init(_ name: String, _ outcomes: String..., source: String) {
            testDescription = name
            self.source = source
            self.outcomes = outcomes
        }
    }

    private static let flow = """
        local attack = require "attack"
        return {
            name = "a",
            state = { n = 0 },
            render = function(state) return { n = state.n } end,
            apply = { go = function(state) state.n = attack(state) end },
        }
        """

    static let attacks = [
        Attack(
            "bytecode", "n 1",
            source: """
                return function() return load('\\27Lua') == nil and 1 or 2 end
                """),
        Attack(
            "bytecode in pieces", "n 1",
            source: """
                return function()
                    local pieces = { '\\27', 'Lua' }
                    return load(function() return table.remove(pieces, 1) end) == nil and 1 or 2
                end
                """),
        Attack(
            "a reader without an end", "n 1",
            source: """
                return function() return load(function() return 'x=1 ' end) == nil and 1 end
                """),
        Attack(
            "a reader that spins", "time",
            source: """
                return function() load(function() while true do end end) end
                """),
        Attack(
            "a reader that yields", "n 1",
            source: """
                return function()
                    local co = coroutine.create(function() return load(coroutine.yield) end)
                    return coroutine.resume(co) == false and 1
                end
                """),
        Attack(
            "costly texts", "time",
            source: """
                local text = 'return x' .. (' or x'):rep(13000) return function() while true
                do load(text) end end
                """),
        Attack(
            "costly texts while it unwinds", "time",
            source: """
                local text = 'return x' .. (' or x'):rep(13000)
                local closing = setmetatable({}, { __close = function() load(text) end })
                local function deep(n) local x <close> = closing if n > 0 then deep(n - 1) end
                    error('unwind') end
                return function() while true do pcall(deep, 150) end end
                """),
        Attack(
            "nested texts", "n 1",
            source: """
                return function()
                    return load(('('):rep(30000)) == nil and load(('do\\n'):rep(20000)) == nil and 1
                end
                """),
        Attack(
            "texts that load texts", "error", "time",
            source: "function again() return load('return again()')() + 1 end return again"),
        Attack(
            "functions without end", "memory",
            source: """
                return function() local all = {} while true do all[#all + 1] = load('return {}')
                end end
                """),
        Attack(
            "a read-only environment", "n 1",
            source: """
                return function() return pcall(load('rep = 1', 'x', 't', require 'string'))
                == false and 1 end
                """),
        Attack(
            "an environment that is the state", "n 5",
            source: """
                return function(state) load('n = 5', 'x', 't', state)() return state.n end
                """),
        Attack(
            "the field of a very long chain", "error",
            source: """
                return function() load('local a = {} a._ENV = a return a' ..
                ('._ENV'):rep(10000) .. '.x + 1')() end
                """),
        Attack(
            "an index that asks itself", "error",
            source: """
                local M = {} local t = setmetatable({}, M) M.__index = function(t, k) return
                t[k] end return function() return t.x end
                """),
        Attack(
            "tables that index each other", "error",
            source: """
                local M, N = {}, {}
                local a, b = setmetatable({}, M), setmetatable({}, N)
                M.__index, N.__index = b, a
                return function() return a.x end
                """),
        Attack(
            "assignments to each other", "error",
            source: """
                local M, N = {}, {}
                local a, b = setmetatable({}, M), setmetatable({}, N)
                M.__newindex, N.__newindex = b, a
                return function() a.x = 1 end
                """),
        Attack(
            "calls from table to table", "error",
            source: """
                local all = {}
                for i = 1, 200 do all[i] = {} end
                local t = {}
                for i = 1, 200 do t[i] = setmetatable({}, all[i]) end
                for i = 1, 199 do all[i].__call = t[i + 1] end
                return function() return t[1]() end
                """),
        Attack(
            "a comparison that spins", "time",
            source: """
                local M, list = {}, {}
                for i = 1, 50 do list[i] = setmetatable({}, M) end
                M.__lt = function() while true do end end
                return function() table.sort(list) end
                """),
        Attack(
            "an index that spins in a pattern", "time",
            source: """
                local M = {}
                local t = setmetatable({}, M)
                M.__index = function() while true do end end
                return function() string.gsub('x', '.', t) end
                """),
        Attack(
            "a finaliser that is added later", "n 1",
            source: """
                local M, ran = {}, 1
                setmetatable({}, M)
                M.__gc = function() ran = 2 while true do end end
                return function() pcall(setmetatable, {}, M) for i = 1, 20000 do local t = {} end
                    return ran end
                """),
        Attack(
            "a weak metatable whose __newindex is collected", "n 1", "memory",
            source: """
                local weak = {}
                local mt = setmetatable({}, weak)
                local t = setmetatable({}, mt)
                weak.__mode = 'v'
                return function()
                    local target = {}
                    mt.__newindex = target
                    for i = 1, 200000 do target[i + 0.5] = true end
                    target = nil
                    t[0.25] = true
                    return rawget(t, 0.25) == nil and 1
                end
                """),
        Attack(
            "weak entries", "n 500",
            source: """
                local t = setmetatable({}, { __mode = 'k' })
                return function()
                    for i = 1, 500 do t[{}] = i end
                    local waste = {}
                    for i = 1, 100000 do waste = { waste } if i % 1000 == 0 then waste = {} end end
                    local n = 0
                    for _ in pairs(t) do n = n + 1 end
                    return n
                end
                """),
        Attack(
            "what the host keeps", "n 1",
            source: """
                return function() return (debug.getregistry or debug.getupvalue or
                debug.upvaluejoin or debug.sethook) == nil and 1 end
                """),
        Attack(
            "functions of other calls", "n 1",
            source: """
                return function() for i = 0, 9 do local info = debug.getinfo(i, 'fSlnrtu') if
                info and info.func then return 2 end end return 1 end
                """),
        Attack(
            "levels far away", "n 1",
            source: """
                return function() for i = 1, 1e5 do if debug.getinfo(i * 1e6) then return 2 end
                end return 1 end
                """),
        Attack(
            "a deep stack that is told", "time", "error",
            source: """
                local function deep(n) if n == 0 then while true do debug.traceback('x', 1e4)
                end end deep(n - 1) return n end return function() deep(1e5) end
                """),
        Attack(
            "the metatable of texts", "n 1",
            source: """
                return function() return getmetatable('') == false and debug.getmetatable('') ==
                false and pcall(setmetatable, '', {}) == false and 1 end
                """),
        Attack(
            "the globals of the flow", "n 1",
            source: """
                return function() string.rep = nil _G.pairs = nil return require 'check'() end
                """),
        Attack(
            "the libraries of the flow", "n 1",
            source: """
                return function() return pcall(rawset, require 'string', 'rep', 1) == false and 1
                end
                """),
        Attack(
            "dates without end", "time",
            source: """
                return function() while true do os.date(('%c'):rep(1000), 0) end end
                """),
        Attack(
            "what is written without end", "print",
            source: """
                return function() while true do io.write(('x'):rep(1000)) end end
                """),
        Attack(
            "a plain copy of what is wide", "memory", "time",
            source: """
                local plain = require 'workflow'.plain return function() local t = {} for i = 1,
                1e5 do t[i] = {} end local all = {} while true do all[#all + 1] = plain(t) end
                end
                """),
        Attack(
            "a plain copy of what is shared", "n 1",
            source: """
                local plain = require 'workflow'.plain return function() local t = {} for i = 1,
                100 do t = { t, t } end return plain(t) and 1 end
                """),
        Attack(
            "a module that requires itself by another name", "error",
            source: "return function() return require 'other' end"),
    ]

    private func outcome(_ error: FlowError) -> String {
        switch error.code {
        case .timeLimit, .processEnded: "time"
        case .memoryLimit: "memory"
        case .logLimit: "print"
        default: "error"
        }
    }

    #if os(Linux)
        private static let isolations = [LuaVM.Options.Isolation.none, .process]
    #else
        private static let isolations = [LuaVM.Options.Isolation.none]
    #endif

    @Test(arguments: attacks, isolations) func anAttackComesToWhatItShould(
        attack: Attack, isolation: LuaVM.Options.Isolation
    ) throws {
        var options = LuaFlow.Options()
        options.limits.isolation = isolation
        options.limits.timeLimit =
            attack.outcomes.contains("time") ? .milliseconds(50) * slowness : .unreached
        let host = try unhurried {
            try FlowHost(
                Self.flow,
                modules: [
                    FlowModules.libraryFolder + "attack.lua": attack.source,
                    FlowModules.libraryFolder + "other.lua":
                        "return require 'attack' == require 'other'",
                    "check": """
                    return function() return ('x'):rep(3) == 'xxx' and type(pairs) ==
                    'function' and 1 end
                    """,
                ], options: options)
        }
        let sent = try host.send("go")
        if case .failed = sent {
            let error = try #require(host.errors.last)
            #expect(attack.outcomes.contains(outcome(error)), "\(error)")
            #expect(host.rendering == ["n": 0])
        } else {
            #expect(attack.outcomes.contains("n \(host.rendering["n"]?.json ?? "")"))
        }
        #expect(
            try FlowHost("return { render = function() return 'fine' end }").rendering == "fine")
    }
}
