@testable import LuaVM
import PlainValue
import TestSupport
import Testing

/// Values are read from Lua's memory or by Lua's functions. Both must give the same.
@Suite struct DirectReadingTests {
    private func vms(seed: UInt64 = 0) throws -> [LuaVM] {
        try [false, true].map { (byFunctions: Bool) -> LuaVM in
            var options = LuaVM.Options()
            options.valueReading = byFunctions ? .throughLua : .direct
            options.seed = seed
            options.timeLimit = nil
            options.valueLimits = ValueLimits(depth: 12, count: 3_000, byteCount: 40_000)
            let vm = try LuaVM(options)
            try vm.setGlobal("null", to: .reference(vm.makeNull()))
            try vm.define("record") { call throws(LuaError) in .reference(try call.vm.makeRecord())
            }
            let inner: Value = ["id": 1, "tags": ["a", "b"], "none": [:]]
            try vm.setGlobal("lazy", to: .reference(vm.makeView(of: inner, label: "lazy")))
            let table = try vm.makeTable(inner)
            try vm.setGlobal("view", to: .reference(vm.makeView(of: table, label: "view")))
            return vm
        }
    }

    private func outcome(_ body: () throws(LuaError) -> Value) -> String {
        do throws(LuaError) { return "\(try body())" } catch { return "error: \(error.message)" }
    }

    @Test func theLuaOfThisProcessIsTheOneThatIsKnown() throws {
        // If this fails, everything works but more slowly:
        // Sources/C/CLuaInterpreter/direct/layout.h does not match this Lua.
        #expect(try vms().map(\.readsDirectly) == [true, false])
    }

    @Test func aWishIsHeardOrRefused() throws {
        #expect(try LuaVM.ValueReading.wish(nil) == .direct)
        #expect(try LuaVM.ValueReading.wish("direct") == .direct)
        #expect(try LuaVM.ValueReading.wish("lua") == .throughLua)
        let error = #expect(throws: LuaError.self) { try LuaVM.ValueReading.wish("fast") }
        #expect(error?.message == "WORKFLOW_READING is 'fast', but may be 'direct' or 'lua'")
    }

    @Test(arguments: [
        "{}", "record()", "{{}, record(), {{}}}", "{1, 2, 3}", "{null, false, true, 1.5, -0.0}",
        "{n = 1}", "{view, lazy, view.tags, lazy.tags, view.none}", "view", "lazy.tags",
        "{rows = {view}, lazy = lazy}", "{1, nil, 3}", "{[2] = 1}", "{1, x = 2}", "{x = 2, 1}",
        "{[1] = 'a', [2] = 'b'}", "{[1.5] = 1}", "{[true] = 1}", "{0/0}", "{1/0}", "{print}",
        "{x = coroutine.create(print)}", "{'\\xff'}", "{['\\xff'] = 1}", "{[('k'):rep(300)] = 1}",
        "{('t'):rep(255), ('t'):rep(256), ('t'):rep(40), ('t'):rep(41), ''}", "{[''] = 1, a = 2}",
        "{-128, 127, -129, 128, 1 << 31, -(1 << 31) - 1, 1 << 62, math.mininteger}",
        "setmetatable({}, {})", "setmetatable({1}, {})", "{setmetatable({a = 1}, {})}",
        "{[1] = 1, [2] = 2, [3] = 3, [4] = 4, [9] = 9}", "{table.unpack({1, 2, 3}, 1, 3)}",
        "{('x'):rep(39000)}", "{('x'):rep(40001)}",
    ]) func bothGiveTheSame(expression: String) throws {
        let outcomes = try vms().map { vm in
            outcome { () throws(LuaError) in try vm.run("return " + expression) }
        }
        #expect(outcomes[0] == outcomes[1])
    }

    @Test(arguments: [
        // A removed field leaves its place and its key behind.
        "local t = {a = 1, b = 2, c = 3} t.b = nil return t",
        "local t = {a = 1} t.a = nil return {t, t}",
        "local t = {a = 1, b = 2} t.a = nil t.b = nil t[1] = 'first' t[2] = 'second' return t",
        // Lists that grow, shrink, and are asked for their length, which Lua stores in the table.
        "local t = {} for i = 1, 100 do t[i] = i end for i = 100, 7, -1 do t[i] = nil end return t",
        "local t = {} for i = 1, 9 do t[i] = i end local n = #t t[n] = nil n = #t return {t, n}",
        "local t = {} for i = 20, 1, -1 do t[i] = i end return t",
        "local t = {1, 2, 3, 4, 5} t[5] = nil local n = #t t[3] = nil n = #t return t",
        "local t = {} for i = 1, 5 do t[i] = i end t.x = 1 t.x = nil return t",
        "local t = {} for i = 1, 2000 do t[i] = {i} end return t",
        "local t = {} for i = 1, 3001 do t[i] = i end return t",
        "local t = {} for i = 1, 300 do t['k' .. i] = i end return t",
        "local t = {} for i = 1, 30 do t = {t} end return t",
        "local t = {} t.t = {t} return t", "local t = {1} return {t, t, {t}}",
        "local r = record() r.a = 1 return {r, r}",
        "local w = setmetatable({}, {__mode = 'v'}) w[1] = {} return w",
    ]) func bothGiveTheSameAfterChanges(source: String) throws {
        let outcomes = try vms().map { vm in
            let first = outcome { () throws(LuaError) in try vm.run(source) }
            // The shapes of the records are known now.
            #expect(outcome { () throws(LuaError) in try vm.run(source) } == first)
            return first
        }
        #expect(outcomes[0] == outcomes[1])
    }

    @Test(arguments: SeededNumbers.seeds(1...6))
    func bothGiveTheSameForRandomTables(seed: UInt64) throws {
        let source = """
            local draw, shared = math.random, {}
            local long = ('long '):rep(20)
            local names = { 'a', 'id', 'name', 'done', 'count', 'items', long, 'ä', '', 'zz', 'k1', 'k2', 'k3' }
            local make
            local function scalar()
                local kind = draw(12)
                if kind <= 4 then return draw(-300, 300) end
                if kind == 5 then return draw(0) end
                if kind == 6 then return draw() end
                if kind == 7 then return ('x'):rep(draw(0, 60)) end
                if kind == 8 then return names[draw(#names)] end
                if kind == 9 then return draw(2) == 1 end
                if kind == 10 then return null end
                if kind == 11 and draw(200) == 1 then return print end
                return draw(2) == 1 and view or lazy.tags
            end
            local function list(depth)
                local t, length, way = {}, draw(0, 9), draw(6)
                if way == 1 then for i = length, 1, -1 do t[i] = make(depth) end
                elseif way == 2 then for i = 1, length do table.insert(t, draw(#t + 1), make(depth)) end
                elseif way == 3 then t = { a = 1, b = 2 } t.a, t.b = nil, nil for i = 1, length do t[i] = make(depth) end
                elseif way == 4 then for i = 1, length + 5 do t[i] = i end for i = length + 5, length + 1, -1 do t[i] = nil end
                else for i = 1, length do t[i] = make(depth) end end
                if draw(300) == 1 then t[length + 2] = 1 end
                if draw(300) == 1 then t.name = 1 end
                return t
            end
            local function fields(depth)
                local t = draw(8) == 1 and record() or {}
                for i = 1, draw(0, draw(14)) do t[names[draw(#names)]] = make(depth) end
                if draw(5) == 1 then t[names[draw(#names)]] = nil end
                return t
            end
            function make(depth)
                if depth == 0 or draw(3) == 1 then return scalar() end
                if draw(12) == 1 and #shared > 0 then return shared[draw(#shared)] end
                local t = draw(2) == 1 and list(depth - 1) or fields(depth - 1)
                shared[#shared % 20 + 1] = t
                return t
            end
            return function() return make(draw(5)) end
            """
        let makers = try vms(seed: seed).map { (vm) throws -> (LuaVM, LuaReference) in
            let chunk = try vm.load(source, chunkName: "t.lua")
            return (vm, try #require(try vm.call(chunk, returning: .reference).reference))
        }
        var failures = 0
        for round in 1...600 {
            let outcomes = makers.map { vm, make in
                outcome { () throws(LuaError) in try vm.call(make, returning: .value).value ?? nil }
            }
            try #require(outcomes[0] == outcomes[1], "round \(round)")
            if outcomes[0].hasPrefix("error") { failures += 1 }
        }
        #expect((1...300).contains(failures))
    }
}
