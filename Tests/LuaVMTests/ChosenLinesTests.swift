import LuaVM
import PlainValue
import TestSupport
import Testing

/// A trace of chosen lines reports the same as a trace of all lines.
@Suite struct ChosenLinesTests {
    /// Functions for the scripts, in lines with the same numbers.
    private static let module = """
        local m = {}
        function m.double(x)
            return x * 2
        end
        function m.fails(x)
            m.double(x)
            error("no")
        end
        function m.each(list, f)
            for i = 1, #list do
                f(list[i])
            end
        end
        return m
        """

    private static let scripts: [String: String] = [
        "a call, and lines after it": """
        local function f(x)
            local y = x + 1
            return y
        end
        local a = f(1)
        local b = f(a) + m.double(a)
        return a + b
        """,
        "tail calls": """
        local function last(n)
            local x = n
            return x
        end
        local function f(n)
            if n == 0 then
                return last(n)
            end
            return f(n - 1)
        end
        local a = f(3)
        local b = m.double(f(2))
        return a
        """,
        "errors that are caught": """
        local function fails(x)
            if x > 1 then m.fails(x) end
            error("here")
        end
        local function careful(x)
            local ok = pcall(fails, x)
            local again = pcall(m.fails, x)
            local with = xpcall(fails, function(e)
                local seen = e
                return seen
            end, x)
            return ok
        end
        careful(1)
        careful(2)
        return 1
        """,
        "coroutines": """
        local function produce(n)
            for i = 1, n do
                m.double(i)
                coroutine.yield(i)
            end
        end
        local co = coroutine.wrap(produce)
        local a = co(2)
        local b = co()
        local failing = coroutine.create(function()
            coroutine.yield()
            pcall(function()
                coroutine.yield()
                error("inside")
            end)
            m.fails(1)
        end)
        for i = 1, 4 do
            local ok = coroutine.resume(failing)
        end
        co()
        return a + b
        """,
        "functions in one line": """
        local function f(x) local g = function() return x end return g() + m.double(x) end
        local a = f(1) + f(2)
        local b = (function() return (function() return a end)() end)()
        local c = function() return 1 end return c() + b
        """,
        "functions that Lua calls": """
        local t = setmetatable({}, {
            __index = function(t, k)
                local x = k
                return x
            end,
            __add = function(a, b)
                return m.double(1)
            end,
            __close = function()
                local closed = 1
            end,
        })
        local list = { 3, 1, 2 }
        table.sort(list, function(a, b)
            return a < b
        end)
        do
            local c <close> = t
            local y = t.x
            local z = t + t
        end
        pcall(function()
            local c <close> = t
            error("closes")
        end)
        for x in function(_, n) if not n then return 1 end end do
            local y = x
        end
        local s = string.gsub("abc", "b", function(x)
            return x .. x
        end)
        m.each(list, function(x)
            local y = m.double(x)
        end)
        return y
        """,
        "arguments without names": """
        local function f(...)
            local a, b = ...
            return select("#", ...) + m.double(a)
        end
        local function g(...)
            return f(...)
        end
        local x = f(1, 2, 3)
        return g(x, x)
        """,
        "deep calls": """
        local function down(n)
            if n > 0 then
                local x = down(n - 1)
                m.double(x)
                return x
            end
            local a = 1
            return a
        end
        local function other(n)
            return n == 0 and m.double(down(30)) or 1 + other(n - 1)
        end
        local a = down(400)
        local b = other(300)
        return a
        """,
        "an error at the end": """
        local function f(x)
            m.fails(x)
        end
        local a = 1
        f(a)
        """,
    ]

    private func places(
        _ script: String, _ lines: LuaTracedLines?, instructionLimit: Int? = nil,
        isolation: LuaVM.Options.Isolation = .none
    ) throws -> [LuaLocation] {
        var options = LuaVM.Options()
        options.timeLimit = nil
        options.instructionLimit = instructionLimit
        options.isolation = isolation
        let vm = try LuaVM(options)
        let module = try vm.call(
            try vm.load(Self.module, chunkName: "m.lua"), returning: .reference)
        try vm.setGlobal("m", to: .reference(try #require(module.reference)))
        var told: [LuaLocation] = []
        try vm.setTrace(
            LuaTrace(lines: lines) { moment in
                guard let place = moment.call(at: 0)?.location else { return }
                if let line = moment.tracedLine { #expect(lines?.locations[line] == place) }
                told.append(place)
            })
        // Some end in an error.
        _ = try? vm.run(script)
        try vm.setTrace(nil)
        return told
    }

    @Test(arguments: scripts.keys.sorted())
    func eachLineIsToldAsAmongAllLines(_ name: String) throws {
        let script = try #require(Self.scripts[name])
        let all = try places(script, nil)
        for place in Set(all) {
            let wanted = all.filter { $0 == place }
            #expect(try places(script, LuaTracedLines([place])) == wanted, "\(place)")
            let limited = try places(script, LuaTracedLines([place]), instructionLimit: 1_000_000)
            #expect(limited == wanted, "\(place), with a limit")
        }
        // Two of them, each in a different function.
        let ends = Set(all.filter { $0.line == 3 } + all.suffix(1))
        #expect(try places(script, LuaTracedLines(ends)) == all.filter(ends.contains))
        #expect(try places(script, LuaTracedLines(Set(all))) == all)
        #expect(try places(script, LuaTracedLines([])) == [])
        for isolation in LuaVM.Options.Isolation.all where isolation != .none {
            #expect(try places(script, nil, isolation: isolation) == all)
            let chosen = try places(script, LuaTracedLines(ends), isolation: isolation)
            #expect(chosen == all.filter(ends.contains))
        }
    }

    @Test func aCoroutineThatIsOlderIsToldOf() throws {
        let vm = try LuaVM()
        let make = try vm.load(
            """
            local function inner()
                coroutine.yield()
                local x = 1
            end
            local co = coroutine.wrap(function()
                inner()
                local y = 2
            end)
            co()
            return co
            """, chunkName: "t.lua")
        let old = try #require(try vm.call(make, returning: .reference).reference)
        try vm.setGlobal("old", to: .reference(old))
        var told: [Int] = []
        try vm.setTrace(
            LuaTrace(lines: .of("t.lua", [3, 7])) { moment in told.append(moment.line) })
        try vm.run("old()", chunkName: "other.lua")
        try vm.setTrace(nil)
        #expect(told == [3, 7])
    }

    @Test(arguments: LuaVM.Options.Isolation.all)
    func hitsAreCountedAndToldFromOneOn(_ isolation: LuaVM.Options.Isolation) throws {
        var limits = LuaVM.Options.unhurried
        limits.isolation = isolation
        let vm = try LuaVM(limits)
        let lines = LuaTracedLines([
            LuaLocation(chunk: "t.lua", line: 2), LuaLocation(chunk: "m.lua", line: 2),
        ])
        let index = try #require(lines.locations.firstIndex { $0.chunk == "t.lua" })
        lines.tell(fromHit: 1_000_000, at: index)
        var told: [Value?] = []
        try vm.setTrace(
            LuaTrace(lines: lines) { moment in
                told.append(moment.values(of: ["i"])["i"])
                lines.tell(fromHit: 1_000_100, at: index)
            })
        let loop = "for i = 1, 500050 do\nlocal x = i\nend"
        try vm.run(loop)
        #expect(told == [])
        // The next call keeps counting them.
        try vm.run(loop)
        #expect(told == [.int(499_950), .int(500_050)])
        #expect(lines.hits(at: index) == 1_000_100)
        #expect(lines.hits(at: 1 - index) == 0)
    }

    @Test func aLoopWithAChosenLineIsInterrupted() throws {
        let vm = try LuaVM()
        let interrupt = vm.interrupt
        var count = 0
        let lines = LuaTracedLines.of("t.lua", [2])
        try vm.setTrace(
            LuaTrace(lines: lines) { _ in
                count += 1
                if count == 50 { interrupt.stop() }
            })
        let script = "local function f()\nlocal x = 1\nend\nwhile true do f() end"
        #expect(try vm.failure(of: script).code == .interrupted)
    }
}

extension LuaTracedLines {
    static func of(_ chunk: String, _ lines: Set<Int>) -> LuaTracedLines {
        LuaTracedLines(Set(lines.map { LuaLocation(chunk: chunk, line: $0) }))
    }
}
