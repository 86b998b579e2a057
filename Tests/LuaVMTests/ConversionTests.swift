import LuaVM
import PlainValue
import Testing

@Suite struct ConversionTests {
    private func refusal(_ source: String) throws -> LuaError {
        // A million parts take a while in a debug build of the bridge.
        var options = LuaVM.Options()
        options.timeLimit = nil
        let vm = try LuaVM(options)
        let table = try #require(
            try vm.call(vm.load(source, chunkName: "t.lua"), returning: .reference).reference)
        return try #require(throws: LuaError.self) { try vm.encode(table, root: "rendering") }
    }

    @Test(arguments: [
        (
            "return {rows = {1, 2, {on_tap = print}}}",
            "rendering.rows[3].on_tap: a function is not a plain value"
        ),
        ("return print", "rendering: a function is not a plain value"),
        ("return {co = coroutine.create(print)}", "rendering.co: a thread is not a plain value"),
        (
            "return {a = setmetatable({}, {})}",
            "rendering.a: a table with a metatable is not a plain value"
        ), ("local t = {} t.a = {t} return t", "rendering.a[1]: the table contains itself"),
        ("return {1, 2, title = 'x'}", "rendering: a list cannot have the named field 'title'"),
        (
            "return {a = {[1] = 1, [3] = 3}}",
            "rendering.a: the list has no element 2, but later ones"
        ), ("return {[2] = 1}", "rendering: the list has no element 1, but later ones"),
        ("return {[0] = 1, 2}", "rendering: a table's keys are names or 1…n, not 0"),
        ("return {[-1] = 1, [0] = 2}", "rendering: a table's keys are names or 1…n, not -1"),
        ("return {[1.5] = 1}", "rendering: a table's keys are names or 1…n, not 1.5"),
        ("return {[true] = 1}", "rendering: a table's keys are names or 1…n, not a boolean"),
        ("return {[{}] = 1}", "rendering: a table's keys are names or 1…n, not a table"),
        (
            "return {v = 0/0}",
            "rendering.v: a number that is not a number (0/0) is not a plain value"
        ), ("return {v = {1/0}}", "rendering.v[1]: an infinite number is not a plain value"),
        ("return {text = 'a\\xff'}", "rendering.text: the string is not valid UTF-8"),
        ("return {['\\xff'] = 1}", "rendering: a key is not valid UTF-8"),
        ("return {['on tap'] = print}", "rendering[\"on tap\"]: a function is not a plain value"),
        (
            "return {z = print, a = print, m = print}",
            "rendering.a: a function is not a plain value"
        ),
        (
            "local t = {} for i = 1, 200 do t = {t} end return {x = t}",
            "rendering.x" + String(repeating: "[1]", count: 127)
                + ": the value is nested deeper than 128 tables"
        ),
        (
            "local t = {} for i = 1, 60 do t = {t, t} end return t",
            "rendering: the value has more than 1000000 parts"
        ),
        (
            "local s = ('x'):rep(1 << 20) local t = {} for i = 1, 40 do t[i] = s end return t",
            "rendering: the value takes more than 33554432 bytes"
        ),
    ]) func whatIsNoPlainValueIsRefusedWithItsPath(source: String, message: String) throws {
        let error = try refusal(source)
        #expect(error.code == .conversion)
        #expect(error.message == message)
    }

    @Test func theSearchForACulpritIsBounded() throws {
        let error = try refusal(
            """
            local t = print
            for level = 1, 100 do
                local wide = {}
                for i = 1, 5000 do wide[i] = i end
                wide[5001] = t
                t = wide
            end
            return t
            """)
        #expect(error.message.hasPrefix("rendering[5001]"))
        #expect(error.message.hasSuffix(": something inside is not a plain value"))
        #expect(error.conversion == .inside)
    }

    @Test func aRefusalCarriesPathAndIssue() throws {
        let error = try refusal("return {a = {print}}")
        #expect(error.path == "rendering.a[1]")
        #expect(error.conversion == .type(.function))
    }

    @Test func allPlainValuesGoThereAndBack() throws {
        let vm = try LuaVM()
        let value: Value = [
            "null": nil, "yes": true, "no": false, "small": -128, "medium": 70_000,
            "large": .int(.min), "double": 0.5, "minus": .double(-0.0), "text": "ä\0b",
            "long": .string(String(repeating: "é", count: 400)), "list": [1, [2, []]],
            "record": ["k": ["": 1]], "empty": .record([:]), "none": .list([]),
        ]
        let table = try vm.makeTable(value)
        #expect(try vm.encode(table) == value)
    }

    @Test func integersAndFloatsStayDistinct() throws {
        let vm = try LuaVM()
        #expect(
            try vm.run("return {1, 1.0, 2^63, math.mininteger, 9007199254740993}")
                == [
                    1, .double(1), .double(9_223_372_036_854_775_808), .int(.min), 9007199254740993,
                ])
    }

    @Test func aListBuiltInAnyOrderIsAList() throws {
        let vm = try LuaVM()
        #expect(
            try vm.run("local t = {} for i = 9, 1, -1 do t[i] = {i} end return t")
                == .list(.init((1...9).map { [.int($0)] })))
        #expect(try vm.run("local t = {1, 2} t[4] = 4 t[3] = 3 return t") == [1, 2, 3, 4])
    }

    @Test func recordsAreSortedByTheBytesOfTheirKeys() throws {
        let vm = try LuaVM()
        var source = "local t = {}\n"
        let keys = (0..<500).map { "k\(($0 * 7919) % 500)" } + ["", "a\0", "a", "ab", "aaaaaaaab"]
        for (index, key) in keys.enumerated() {
            source += "t['\(key.replacing("\0", with: "\\0"))'] = \(index)\n"
        }
        let value = try vm.run(source + "return t")
        guard case .record(let record) = value else {
            Issue.record("no record")
            return
        }
        let found = record.map(\.key)
        #expect(found.count == Set(keys).count)
        #expect(found == found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(record["a\0"] == 501)
    }

    @Test func anEmptyRecordStaysARecordUntilItHasFields() throws {
        let vm = try LuaVM()
        try vm.define("record") { call throws(LuaError) in .reference(try call.vm.makeRecord()) }
        #expect(try vm.run("return {record(), {}}") == [.record([:]), .list([])])
        let keep = try vm.load(
            "local r = ... r.a = 1 return function() r.a = nil return r end", chunkName: "t.lua")
        let record = try vm.makeRecord()
        let clear = try #require(
            try vm.call(keep, .reference(record), returning: .reference).reference)
        #expect(try vm.encode(record) == ["a": 1])
        #expect(try vm.call(clear, returning: .value).value == .list([]))
    }

    @Test func nullIsASentinelInTables() throws {
        let vm = try LuaVM()
        try vm.setGlobal("null", to: .reference(vm.makeNull()))
        #expect(try vm.run("return {1, null, 3}") == [1, nil, 3])
        let same = try vm.load("return ...== null, tostring(null)", chunkName: "t.lua")
        #expect(try vm.call(same, .value(nil), returning: .value).value == true)
    }

    @Test func sharedTablesAreCopiedAtEachPlace() throws {
        let vm = try LuaVM()
        #expect(try vm.run("local p = {1} return {p, {p}}") == [[1], [[1]]])
    }
}
