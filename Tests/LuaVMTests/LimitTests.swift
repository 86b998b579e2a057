import LuaVM
import PlainValue
import TestSupport
import Testing

@Suite struct LimitTests {
    private func vm(
        timeLimit: Duration = .unreached, _ change: (inout LuaVM.Options) -> Void = { _ in }
    ) throws -> LuaVM {
        var options = LuaVM.Options()
        options.timeLimit = timeLimit
        options.memoryLimit = 8 << 20
        change(&options)
        return try LuaVM(options)
    }

    @Test func anEndlessLoopIsStopped() throws {
        let vm = try vm(timeLimit: .milliseconds(50))
        let error = try vm.failure(of: "\nlocal n = 0 while true do n = n + 1 end")
        #expect(error.code == .timeLimit)
        #expect(error.message == "the call took longer than 0.05 seconds")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 2))
        #expect(try unhurried { try vm.run("return 1") } == 1)
    }

    @Test func aLimitCannotBeCaught() throws {
        let vm = try vm(timeLimit: .milliseconds(50))
        let error = try vm.failure(of: "while true do pcall(function() while true do end end) end")
        #expect(error.code == .timeLimit)
        #expect(try unhurried { try vm.run("return 1") } == 1)
    }

    @Test func aLimitInANestedCallEndsTheOutermost() throws {
        let vm = try vm(timeLimit: .milliseconds(50))
        try vm.define("nested") { call throws(LuaError) in
            let f = try call.reference(at: 1)
            _ = try? call.vm.call(f)
            return .none
        }
        let error = try vm.failure(of: "pcall(nested, function() while true do end end)\nreturn 1")
        #expect(error.code == .timeLimit)
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 1))
    }

    @Test func aVMCalledFromAnotherLivesUnderItsDeadline() throws {
        // Time enough to come to the loop.
        let outer = try vm(timeLimit: .milliseconds(500))
        let inner = try vm { $0.timeLimit = nil }
        var message: String?
        try outer.define("inner") { call throws(LuaError) in
            do throws(LuaError) {
                try inner.run("while true do end")
            } catch { message = error.message }
            return .none
        }
        let error = try outer.failure(of: "inner()\nreturn 1")
        #expect(error.code == .timeLimit)
        #expect(message == "the call took longer than the one around it may")
        #expect(try inner.run("return 1") == 1)
        #expect(try unhurried { try outer.run("return 1") } == 1)
    }

    @Test func aFailureOfOneVMLeavesTheDeadlineOfAnotherInForce() throws {
        let outer = try vm(timeLimit: .milliseconds(50))
        let small = try vm { $0.memoryLimit = 200_000 }
        try outer.define("fail") { _ throws(LuaError) in
            let text = String(repeating: "x", count: 1_000_000)
            _ = try? small.makeTable([.string(text)])
            return .none
        }
        #expect(try outer.failure(of: "fail()\nwhile true do end").code == .timeLimit)
    }

    @Test func memoryIsLimited() throws {
        let vm = try vm()
        let error = try vm.failure(of: "local t = {}\nwhile true do\nt[#t + 1] = {}\nend")
        #expect(error.code == .memoryLimit)
        #expect(error.message == "the script needs more than 8388608 bytes of memory")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 3))
        #expect(vm.memoryInUse < 1 << 20)
        #expect(try vm.run("return 1") == 1)
    }

    @Test func garbageDoesNotCountAsMemory() throws {
        let vm = try vm()
        #expect(try vm.run("for i = 1, 300000 do local t = {i, i} end return 1") == 1)
    }

    @Test func instructionsAreLimited() throws {
        let vm = try vm { $0.instructionLimit = 100_000 }
        let error = try vm.failure(of: "while true do end")
        #expect(error.code == .instructionLimit)
        #expect(error.message == "the call ran more than 100000 instructions")
        #expect(try vm.run("for i = 1, 10000 do end return 1") == 1)
    }

    @Test func quotingALongTextLooksAtTheLimits() throws {
        let vm = try vm { $0.instructionLimit = 2_000 }
        let long = "return #string.format('%q', ('x'):rep(1000000))"
        #expect(try vm.failure(of: long).code == .instructionLimit)
    }

    @Test func aLongTextIsQuotedAsItsPartsAre() throws {
        let script = #"""
            local part = "\0001\"\n\\\r\0\127 é%s\0"
            local function quoted(text) return string.format("%q", text) end
            local whole = string.format("<%q|%5s>", part:rep(10000), "y")
            return whole == '<"' .. quoted(part):sub(2, -2):rep(10000) .. '"|    y>'
            """#
        #expect(try LuaVM().run(script) == true)
    }

    @Test func printingIsLimited() throws {
        let vm = try vm { $0.printLimit = 100 }
        var lines: [LuaPrint] = []
        vm.onPrint = { lines.append($0) }
        let error = try vm.failure(of: "while true do pcall(print, ('x'):rep(40)) end")
        #expect(error.code == .printLimit)
        #expect(error.message == "the call printed more than 100 bytes")
        #expect(lines.count == 2)
        try vm.run("\nprint(1, nil, {}, print)")
        #expect(lines.last?.text == "1\tnil\ttable\tfunction")
        #expect(lines.last?.location == LuaLocation(chunk: "t.lua", line: 2))
    }

    /// On the default stack of Linux threads; with sanitizers, frames are several times as large.
    @Test func callsNestOverAThousandLevels() throws {
        let deepest = onStack(of: (isSanitized ? 64 : 8) << 20) { () -> Int? in
            guard let vm = try? vm() else { return nil }
            var deepest = 0
            try? vm.define("descend") { call throws(LuaError) in
                let f = try call.reference(at: 1)
                let n = call.integer(at: 2) ?? 0
                deepest = max(deepest, call.vm.depth)
                let result = try call.vm.call(f, .value(.int(n - 1)), returning: .value)
                return .value(result.value ?? nil)
            }
            let value = try? vm.run(
                """
                local function f(n) if n == 0 then return 'end' end return descend(f, n) end
                return f(1100)
                """)
            return value == "end" ? deepest : nil
        }
        #expect(deepest == 1100)
    }

    @Test func tooDeepNestingIsAnError() throws {
        let vm = try vm { $0.maximumDepth = 100 }
        try vm.define("descend") { call throws(LuaError) in
            _ = try call.vm.call(call.reference(at: 1))
            return .none
        }
        let error = try vm.failure(of: "local function f() descend(f) end\nf()")
        #expect(error.code == .depth)
        #expect(
            error.message == """
                calls are nested deeper than 100 levels, or than the stack of the thread has room for
                """)
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 1))
        #expect(try vm.run("return 1") == 1)
    }

    /// The depth differs between machines, so no script may see it.
    @Test func tooDeepNestingCannotBeCaught() throws {
        let vm = try vm { $0.maximumDepth = 100 }
        try vm.define("descend") { call throws(LuaError) in
            _ = try? call.vm.call(call.reference(at: 1))
            return .none
        }
        let error = try vm.failure(
            of: "local function f() pcall(descend, f) end f() return 'went on'")
        #expect(error.code == .depth)
        #expect(try vm.run("return 1") == 1)
    }
}
