import CLuaBridge
import LuaVM
import PlainValue
import TestSupport
import Testing

@Suite struct TraceTests {
    private typealias Isolation = LuaVM.Options.Isolation

    private static func vm(
        _ isolation: Isolation, _ limits: LuaVM.Options = LuaVM.Options()
    ) throws -> LuaVM {
        var limits = limits
        limits.isolation = isolation
        return try LuaVM(limits)
    }

    private func trace(
        _ source: String, lines: Set<Int> = [], returns: Bool = false, of name: String = "x",
        in vm: LuaVM? = nil
    ) throws -> [String] {
        let vm = try vm ?? LuaVM()
        var told: [String] = []
        try vm.setTrace(
            LuaTrace(lines: lines.isEmpty ? nil : .of("t.lua", lines), tellsReturns: returns) {
                moment in
                let value = moment.values(of: [name])[name].map { " \($0)" } ?? ""
                told.append("\(moment.isReturn ? "<" : "")\(moment.line)\(value)")
            })
        defer { try? vm.setTrace(nil) }
        _ = try? vm.run(source)
        return told
    }

    @Test func eachLineIsToldBeforeItIsRun() throws {
        let told = try trace(
            """
            local x = 1
            if x > 1 then
                x = 5
            end
            x = x + 1
            return x
            """)
        #expect(told == ["1", "2 1", "5 1", "6 2"])
    }

    @Test func onlyWantedLinesAreTold() throws {
        let told = try trace(
            "local x = 0\nfor i = 1, 3 do\nx = x + i\nend\nreturn x", lines: [3, 5, 900])
        #expect(told == ["3 0", "3 1", "3 3", "5 6"])
    }

    @Test(arguments: Isolation.all)
    func endsOfFunctionsAreTold(_ isolation: LuaVM.Options.Isolation) throws {
        let told = try trace(
            "local function f(x)\nreturn x * 2\nend\nlocal y = f(4)\nreturn y", returns: true,
            in: try Self.vm(isolation))
        #expect(told == ["3", "4", "2 4", "<2 4", "5", "<5"])
    }

    @Test(arguments: Isolation.all) func coroutinesAreToldOfHoweverOldTheyAre(
        _ isolation: LuaVM.Options.Isolation
    ) throws {
        let vm = try Self.vm(isolation)
        let make = try vm.load(
            """
            local co = coroutine.wrap(function()
                for x = 1, 3 do
                    coroutine.yield(x)
                end
            end)
            return co
            """, chunkName: "t.lua")
        let old = try #require(try vm.call(make, returning: .reference).reference)
        try vm.setGlobal("old", to: .reference(old))
        let told = try trace("old()\nold()", of: "x", in: vm)
        #expect(told == ["1", "2", "3 1", "2", "2", "3 2"])
    }

    @Test func aLineSeesTheVariableThatIsInScope() throws {
        let told = try trace(
            """
            local x = "upvalue"
            local function f()
                local y = x
                local x = 1
                do local x = 2; y = x
                    y = x end
                return y + x
            end
            return f()
            """)
        #expect(
            told == [
                "1", "8 \"upvalue\"", "9 \"upvalue\"", "3 \"upvalue\"", "4 \"upvalue\"", "5 1",
                "6 2", "7 1",
            ])
    }

    @Test(arguments: [
        ("function() end", "\"<function t.lua:1>\""), ("print", "\"<function>\""),
        ("0/0", "\"<nan>\""), ("1/0", "\"<inf>\""), ("-1/0", "\"<-inf>\""),
        ("\"\\xff\\xfe\"", "\"<2 bytes>\""),
        ("{ 1, 2, f = print }", "{ [\"[1]\"] = 1, [\"[2]\"] = 2, f = \"<function>\" }"),
        ("{ { {}, print }, nil }", "{ { {}, \"<function>\" } }"),
        ("(function() local t = {}; t.t = t; return t end)()", "{ t = \"<cycle>\" }"),
        ("{ [true] = 1, [2.5] = 2 }", "{ [\"[2.5]\"] = 2, [\"[true]\"] = 1 }"),
        ("setmetatable({ a = 1 }, { __index = error })", "{ a = 1 }"),
        ("coroutine.create(print)", "\"<thread>\""), ("{ a = { b = 1 } }", "{ a = { b = 1 } }"),
        ("nil", "null"),
    ]) func whatIsNotPlainIsShownAsWellAsCanBe(_ source: String, _ shown: String) throws {
        for isolation in Isolation.all {
            let vm = try Self.vm(isolation)
            let told = try trace("local x = \(source)\nreturn", lines: [2], in: vm)
            #expect(told == ["2 \(shown)"], "\(isolation)")
        }
    }

    @Test(
        arguments: [
            ("x", [.string("a"), .int(2), .string("b")], false, "7"),
            ("x", [.string("a")], true, "2"), ("x", [.string("t")], true, "5"),
            ("x", [.string("none")], false, "nil"),
            ("x", [.string("f")], false, "\"<function t.lua:1>\""),
            ("x", [.string("m"), .string("n")], false, "nil"),
            ("x", [.string("a"), .int(10_000), .string("b")], false, "no path"),
            ("x", [.string("t"), .string("len")], false, "no path"),
            ("x", [.string("n")], true, "no path"), ("none", [.string("a")], false, "no variable"),
            ("view", [.int(1), .string("c")], false, "3"),
            ("view", [.int(1), .string("list")], true, "3"),
            ("view", [.int(1), .string("null")], false, "null"),
        ] as [(String, [Value], Bool, String)])
    func whatAPathLeadsToIsReadAloneAndRunsNothing(
        _ name: String, _ path: [Value], _ isLength: Bool, _ found: String
    ) throws {
        for isolation in Isolation.all {
            let told = try self.read(LuaRead(name, path, isLength: isLength), isolation)
            #expect(told == [found], "\(isolation)")
        }
    }

    private func read(_ read: LuaRead, _ isolation: Isolation) throws -> [String] {
        let vm = try Self.vm(isolation)
        try vm.setGlobal(
            "given",
            to: .reference(
                try vm.makeView(of: [["c": 3, "list": [1, 2, 3], "null": .null]], label: "given")))
        var told: [String] = []
        try vm.setTrace(
            LuaTrace(lines: .of("t.lua", [5])) { moment in
                switch moment.value(of: read) {
                case .value(let value), .likeness(let value): told.append("\(value)")
                case .nil: told.append("nil")
                case .noPath: told.append("no path")
                case .noVariable: told.append("no variable")
                }
            })
        try vm.run(
            """
            local x = { a = { 1, { b = 7 } }, f = function() end, n = 1, t = "hello" }
            local view = given
            local meta = { __index = function() error("run") end }
            x.m = setmetatable({}, meta)
            return
            """)
        return told
    }

    @Test(arguments: Isolation.all) func aCallThatIsToldMayTakeLongerThanItsLimit(
        _ isolation: LuaVM.Options.Isolation
    ) throws {
        var limits = LuaVM.Options()
        limits.timeLimit = .milliseconds(5)
        limits.isolationGrace = .unreached
        let vm = try Self.vm(isolation, limits)
        // More lines than fit the limit, traced or not.
        let count = 3_000_000
        let function = try vm.load("for i = 1, ... do\nlocal x = i\nend", chunkName: "t.lua")
        let lines = LuaTracedLines([LuaLocation(chunk: "t.lua", line: 2)])
        lines.tell(fromHit: .max, at: 0)
        try vm.setTrace(LuaTrace(lines: lines, patience: 1_000_000) { _ in })
        _ = try vm.call(function, .value(.int(count)))
        #expect(lines.hits(at: 0) == count)
        try vm.setTrace(LuaTrace(lines: lines) { _ in })
        #expect { _ = try vm.call(function, .value(.int(.max))) } throws: {
            ($0 as? LuaError)?.code == .timeLimit
        }
    }

    @Test func largeTablesAreCutInTheSamePlace() throws {
        let source = "local x = {}\nfor i = 1, 10000 do x[i] = i end\nx[1] = print\nreturn"
        let first = try trace(source, lines: [4])
        #expect(first.first?.hasPrefix("4 { \"<function>\", 2, 3") == true)
        #expect(try trace(source, lines: [4]) == first)
    }

    @Test(arguments: Isolation.all)
    func callsAndTheirVariablesAreTold(_ isolation: LuaVM.Options.Isolation) throws {
        let vm = try Self.vm(isolation)
        var told: [String] = []
        try vm.setTrace(
            LuaTrace(lines: .of("t.lua", [2])) { moment in
                for level in 0..<moment.depth {
                    guard let call = moment.call(at: level) else { continue }
                    let locals = moment.locals(at: level).map { "\($0.name)=\($0.value)" }
                    let upvalues = moment.upvalues(at: level).map(\.name)
                    told.append("\(call.location) \(call.function ?? "?") \(locals) \(upvalues)")
                }
            })
        try vm.run(
            "local up = 7\nlocal function inner(a, b) return a + b + up end\nlocal function outer(c)\n"
                + "local r = inner(c, 2)\nreturn r\nend\nlocal all = outer(1)\nreturn all")
        #expect(
            told == [
                #"t.lua:2 ? ["up=7"] []"#, #"t.lua:2 inner ["a=1", "b=2"] ["up"]"#,
                #"t.lua:4 outer ["c=1"] ["inner"]"#,
                #"t.lua:7 ? ["up=7", "inner=\"<function t.lua:2>\"", "outer=\"<function t.lua:3>\""] []"#,
            ])
    }

    @Test(arguments: Isolation.all)
    func limitsHoldWhileLinesAreTold(_ isolation: LuaVM.Options.Isolation) throws {
        var options = LuaVM.Options.unhurried
        options.instructionLimit = 10_000
        let vm = try Self.vm(isolation, options)
        var count = 0
        try vm.setTrace(LuaTrace { _ in count += 1 })
        let error = try vm.failure(of: "while true do\nlocal x = 1\nend")
        #expect(error.code == .instructionLimit)
        #expect(count > 1000)
        try vm.setTrace(nil)
        let before = count
        #expect(try vm.run("local a = 1\nreturn a") == 1)
        #expect(count == before)
    }

    @Test(arguments: Isolation.all)
    func anInterruptStopsALoopThatIsTold(_ isolation: LuaVM.Options.Isolation) throws {
        let vm = try Self.vm(isolation, .unhurried)
        let interrupt = vm.interrupt
        var count = 0
        try vm.setTrace(
            LuaTrace { _ in
                count += 1
                if count == 50 { interrupt.stop() }
            })
        #expect(try vm.failure(of: "while true do\nlocal x = 1\nend").code == .interrupted)
    }

    @Test(arguments: Isolation.all)
    func errorsThatAreCaughtAreTold(_ isolation: LuaVM.Options.Isolation) throws {
        let vm = try Self.vm(isolation)
        var told: [Value?] = []
        try vm.setTrace(
            LuaTrace(lines: LuaTracedLines([]), tellsCatches: true) { moment in
                told.append(moment.caughtError?.value)
            })
        try vm.run(
            "pcall(error, { n = 1 })\n" + "local co = coroutine.create(error)\n"
                + "coroutine.resume(co, 'no')")
        #expect(told == [["n": 1], "no"])
    }

    #if os(Linux)
        @Test func aNewProcessTellsNothing() throws {
            let vm = try Self.vm(.process, .unhurried)
            var count = 0
            try vm.setTrace(LuaTrace(lines: .of("t.lua", [1])) { _ in count += 1 })
            try vm.run("return 1")
            vm.abandon("for a test")
            #expect(throws: LuaError.self) { try vm.setTrace(LuaTrace { _ in count += 10 }) }
            try vm.setTrace(nil)
            try vm.restart()
            try vm.run("return 1")
            #expect(count == 1)
        }
    #endif

    @Test(arguments: HostileChunk.all.filter { !$0.outcomes.contains(.cpuLimit) })
    func aHostileChunkEndsAsItDoesUntold(chunk: HostileChunk) throws {
        var options = LuaVM.Options.unhurried
        options.instructionLimit = 300_000
        options.memoryLimit = 32 << 20
        let vm = try LuaVM(options)
        var told = 0
        try vm.setTrace(
            LuaTrace { moment in
                told += 1
                // Some hold many megabytes of text, which are read each time.
                if told % 16384 == 1 { told += moment.locals().count + moment.upvalues().count }
            })
        _ = try? vm.run(chunk.source, chunkName: chunk.name)
        try vm.setTrace(nil)
        #expect(try vm.run("return 1") == 1)
    }
}
