import LuaVM
import PlainValue
import TestSupport
import Testing

@Suite struct TraceExpressionTests {
    @Test func aFunctionIsCalledOnCopiesOfWhatItCanChange() throws {
        let vm = try LuaVM()
        var values: [Value] = []
        var isAbsent = false
        try vm.setTrace(
            LuaTrace(lines: .of("t.lua", [9])) { [unowned vm] moment in
                let names = ["up", "t", "count", "none", "nowhere"]
                guard let copies = try? moment.copies(of: names, at: 0),
                    let up = copies["up"], let table = copies["t"],
                    let function = try? vm.load(
                        "local up, t = ...; return up(t) * 10 + up(t)", chunkName: "e"),
                    let result = try? moment.call(function, [up, table], instructionLimit: 1000)
                else { return }
                values.append(result.value)
                isAbsent = copies["nowhere"] == nil && copies["none"] != nil
            })
        try vm.run(
            """
            local count, none = 0, nil
            local t = setmetatable({ n = 1 }, { __index = { step = 1 } })
            local function up(of)
                count = count + 1
                of.n = of.n + of.step
                return of.n + count
            end
            for _ = 1, 2 do
                local seen = up and t and count and none
            end
            assert(count == 0 and t.n == 1)
            """)
        #expect(values == [35, 35])
        #expect(isAbsent)
    }

    @Test func whatCannotBeCopiedIsNotCalled() throws {
        let vm = try LuaVM()
        var told: [String] = []
        try vm.setTrace(
            LuaTrace(lines: .of("t.lua", [2])) { [unowned vm] moment in
                do throws(LuaError) {
                    let copies = try moment.copies(of: ["next"], at: 0)
                    let function = try vm.load("return (...)()", chunkName: "e")
                    let result = try moment.call(
                        function, [copies["next"] ?? .nil], instructionLimit: 1000)
                    told.append("\(result.value)")
                } catch { told.append(error.message) }
            })
        try vm.run(
            """
            local next = coroutine.wrap(function() coroutine.yield(1) end)
            assert(next() == 1)
            """)
        #expect(told == ["this function cannot be called in an expression"])
    }

    /// A function with too many instructions ends; the call goes on, with its limits and reports.
    @Test(arguments: [nil, 100_000], [true, false])
    func aFunctionThatDoesNotEndEndsAlone(limit: Int?, tellsAll: Bool) throws {
        var options = LuaVM.Options.unhurried
        options.instructionLimit = limit
        let vm = try LuaVM(options)
        var told: [String] = []
        var isRunning = false
        let lines = tellsAll ? nil : LuaTracedLines.of("t.lua", [4, 8])
        try vm.setTrace(
            LuaTrace(lines: lines) { [unowned vm] moment in
                guard [4, 8].contains(moment.line) else { return }
                #expect(!isRunning)
                isRunning = true
                defer { isRunning = false }
                do throws(LuaError) {
                    let copies = try moment.copies(of: ["spin"], at: 0)
                    let function = try vm.load("return (...)()", chunkName: "e")
                    _ = try moment.call(
                        function, [copies["spin"] ?? .nil], instructionLimit: 50_000)
                } catch { told.append("\(moment.line) \(error.code): \(error.message)") }
            })
        try vm.run(
            """
            local function spin() while true do pcall(error) end end
            local function step(n)
                local sum = spin and n
                return sum + 1
            end
            local sums = 0
            local co = coroutine.wrap(function()
                coroutine.yield(step(spin and 1))
                coroutine.yield(step(2))
            end)
            for i = 1, 2 do sums = sums + co() end
            assert(sums == 5)
            """)
        let why = "instructionLimit: the call ran more than 50000 instructions"
        #expect(told == ["8 \(why)", "4 \(why)", "4 \(why)"])
        // The limit of a call is still there if there is one.
        try vm.setTrace(nil)
        if limit != nil { #expect(throws: LuaError.self) { try vm.run("while true do end") } }
    }

    @Test func linesAreToldWhereAConditionHolds() throws {
        let i = LuaCondition.Operand.read(LuaRead("i"))
        let row = LuaCondition.Operand.read(LuaRead("row", [.string("n")]))
        let none = LuaCondition.Operand.read(LuaRead("row", [.string("none")]))
        let length = LuaCondition.Operand.read(LuaRead("name", isLength: true))
        try expect([.init(i, .equal, .scalar(3))], [3])
        try expect([.init(.scalar(7), .less, i)], [8, 9, 10])
        try expect([.init(row, .lessOrEqual, .scalar(20))], [1, 2])
        try expect([.init(length, .equal, .scalar(5))], [3, 7, 8])
        try expect([.init(none, .unequal, .scalar(.null))], [])
        try expect([.init(i, .less, .scalar(4)), .init(.scalar(10), .less, row)], [2, 3])
        try expect(
            [.init(i, .less, .scalar(2)), .init(.scalar(90), .less, row)], isAny: true, [1, 10])
        // What is not known here is told.
        try expect([.init(i, .less, .scalar("3"))], Array(1...10))
    }

    private func expect(_ tests: [LuaCondition.Test], isAny: Bool = false, _ hits: [Int]) throws {
        let vm = try LuaVM()
        let lines = LuaTracedLines.of("t.lua", [5])
        lines.set(LuaCondition(tests, isAny: isAny), at: 0)
        var told: [Value] = []
        try vm.setTrace(
            LuaTrace(lines: lines, countsLines: true) { moment in
                if case .value(let value) = moment.value(of: LuaRead("i")) { told.append(value) }
            })
        try vm.run(
            """
            local names = { "one", "two", "three", "four", "five", "six", "seven", "eight" }
            names[9], names[10] = "nine", "ten"
            for i, name in ipairs(names) do
                local row = { n = i * 10 }
                local here = i + row.n + #name
            end
            """)
        #expect(told == hits.map { .int($0) })
        #expect(lines.passedCount >= 30)
    }
}
