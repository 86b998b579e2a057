import LuaVM
import PlainValue
import TestSupport
import Testing

/// Small records of names and numbers, which need no protected call, arrive like all others.
@Suite struct RecordArgumentTests {
    @Test func recordsArriveWhetherOrNotTheirNamesWereMetBefore() throws {
        let vm = try LuaVM()
        let echo = try vm.load("return ...", chunkName: "t.lua")
        var numbers = SeededNumbers.printed(or: 7)
        for _ in 0..<300 {
            let record = Self.record(&numbers)
            // At first the names are new to the interpreter, then they are known.
            for _ in 0..<3 {
                let result = try vm.call(echo, .value(record), .value(1), returning: .value)
                #expect(result.value == record)
            }
        }
    }

    @Test func eachCallGetsATableOfItsOwn() throws {
        let vm = try LuaVM()
        let keep = try Self.function(
            "local kept return function(t) t.by, t.more, kept = t.by + 1, kept, t return t end", vm)
        var expected: Value = ["by": 2]
        for _ in 0..<20 {
            #expect(try vm.call(keep, .value(["by": 1]), returning: .value).value == expected)
            expected = ["by": 2, "more": expected]
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 8, 9])
    func memoryThatRunsOutIsAnErrorAndNoMore(fields: Int) throws {
        var options = LuaVM.Options()
        options.memoryLimit = 400_000
        options.timeLimit = nil
        let vm = try LuaVM(options)
        let keep = try Self.function(
            "local all return function(t, forget) all = not forget and { t, all } or nil return t end",
            vm)
        let record = Value.record(
            .init((0..<fields).map { (key: "field\($0)", value: Value.int($0)) }))
        for _ in 0..<3 {
            var code: LuaError.Code?
            while code == nil {
                do throws(LuaError) {
                    _ = try vm.call(keep, .value(record), .value(false))
                } catch { code = error.code }
            }
            #expect(code == .memoryLimit)
            #expect(vm.memoryInUse <= 2 * options.memoryLimit)
            _ = try vm.call(keep, .nil, .value(true))
            vm.collectGarbage()
            let next = try vm.call(keep, .value(record), .value(true), returning: .value)
            #expect(next.value == record)
        }
    }

    private static func function(_ source: String, _ vm: LuaVM) throws -> LuaReference {
        let made = try vm.call(vm.load(source, chunkName: "t.lua"), returning: .reference)
        return try #require(made.reference)
    }

    private static func record(_ numbers: inout SeededNumbers) -> Value {
        let names = ["by", "type", "id", "é", "a name that is long", "x", "sixteen bytes ok", "n"]
        let entries = (0..<Int.random(in: 0...11, using: &numbers)).map { index in
            let name = names.randomElement(using: &numbers) ?? ""
            let key = index.isMultiple(of: 3) ? "\(name)\(index)" : name
            return (key: key, value: value(&numbers))
        }
        return .record(.init(entries))
    }

    private static func value(_ numbers: inout SeededNumbers) -> Value {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: .null
        case 1: .bool(.random(using: &numbers))
        case 2: .int(.random(in: -200...200, using: &numbers))
        case 3: .int(.random(in: .min ... .max, using: &numbers))
        case 4: .double(.random(in: -1...1, using: &numbers))
        case 5: .string("")
        case 6: .string("inc")
        case 7: .string(String(repeating: "t", count: Int.random(in: 1...400, using: &numbers)))
        case 8: [1, ["a": "b"]]
        default: ["inner": .string("inc")]
        }
    }
}
