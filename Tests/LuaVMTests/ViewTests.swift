import LuaVM
import PlainValue
import Testing

@Suite struct ViewTests {
    private func run(_ source: String, _ value: Value) throws -> Value {
        let vm = try LuaVM()
        let view = try vm.makeView(of: vm.makeTable(value), label: "props")
        let function = try vm.load("local props = ... " + source, chunkName: "t.lua")
        let first = try vm.call(function, .reference(view), returning: .value).value
        // A view of the encoded value behaves the same.
        let lazy = try vm.makeView(of: value, label: "props")
        #expect(try vm.call(function, .reference(lazy), returning: .value).value == first)
        return first ?? nil
    }

    private let props: Value = ["items": [["id": 1], ["id": 2]], "title": "x"]

    @Test func aViewReadsLikeATable() throws {
        #expect(
            try run("return {props.title, props.items[2].id, #props.items}", props) == ["x", 2, 2])
        #expect(
            try run("return {type(props), type(props.items), tostring(props)}", props)
                == ["table", "table", "table"])
        #expect(try run("return props.items == props.items", props) == true)
        #expect(try run("return {rawlen(props.items), rawget(props, 'title')}", props) == [2, "x"])
        #expect(try run("return props.nothing == nil", props) == true)
    }

    @Test func aViewIsIteratedInOrder() throws {
        #expect(
            try run(
                "local r = {} for k, v in pairs(props) do r[#r + 1] = k .. type(v) end return r",
                props) == ["itemstable", "titlestring"])
        #expect(
            try run(
                "local r = {} for i, v in ipairs(props.items) do r[i] = v.id end return r", props)
                == [1, 2])
        #expect(
            try run("local r = {} for k, v in next, props do r[#r + 1] = k end return r", props)
                == ["items", "title"])
        #expect(try run("return {(next(props)), next({}) == nil}", props) == ["items", true])
    }

    @Test func theTableLibraryReadsViews() throws {
        #expect(try run("return table.concat(props, '-')", [1, 2, "c"]) == "1-2-c")
        #expect(try run("return {table.unpack(props)}", [1, 2, "c"]) == [1, 2, "c"])
        #expect(try run("return table.move(props, 1, 2, 1, {})", [1, 2, "c"]) == [1, 2])
        #expect(try run("return {('a-b'):gsub('%a', props)}", ["a": "x"]) == ["x-b", 2])
    }

    @Test(arguments: [
        ("props.title = 1", "props is read-only"),
        ("props.items[1].id = 1", "props.items[1] is read-only"),
        ("table.insert(props.items, 1)", "props.items is read-only"),
        ("table.remove(props.items)", "props.items is read-only"),
        ("table.sort(props.items)", "props.items is read-only"),
        ("rawset(props, 'a', 1)", "props is read-only"),
        ("setmetatable(props, {})", "props is read-only"),
        ("for _, item in pairs(props.items) do item.id = 2 end", "props.items[1] is read-only"),
        ("local _, items = next(props) items[3] = 2", "props.items is read-only"),
        ("table.unpack(props.items, 2).id = 3", "props.items[2] is read-only"),
    ]) func writingAViewIsAnError(source: String, message: String) throws {
        let error = try #require(throws: LuaError.self) { try run(source, props) }
        #expect(error.code == .runtime)
        #expect(error.message == message)
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 1))
    }

    @Test func aViewIsEncodedAsItsTable() throws {
        #expect(try run("return {props, props.items[2]}", props) == [props, ["id": 2]])
    }

    @Test func theGivenEncodingStandsForTheTable() throws {
        let vm = try LuaVM()
        let table = try vm.makeTable(["a": 1])
        let view = try vm.makeView(of: table, label: "child", encoding: ["b": [2, 3]])
        let wrap = try vm.load("return {...}", chunkName: "t.lua")
        #expect(try vm.call(wrap, .reference(view), returning: .value).value == [["b": [2, 3]]])
        let inside = try vm.load("return (...).a", chunkName: "t.lua")
        #expect(try vm.call(inside, .reference(view), returning: .value).value == 1)
    }

    @Test func aViewOfAScalarIsTheScalar() throws {
        let vm = try LuaVM()
        #expect(try vm.type(of: vm.makeView(of: "x", label: "child")) == .string)
    }

    @Test(arguments: [Value.int(1), .string("x"), .bool(true), .null])
    func onlyATableHasAViewAndFieldsToSet(value: Value) throws {
        let vm = try LuaVM()
        let reference = try vm.makeReference(.value(value))
        let view = #expect(throws: LuaError.self) { try vm.makeView(of: reference, label: "p") }
        let field = #expect(throws: LuaError.self) { try vm.setField("a", of: reference, to: .nil) }
        #expect([view?.code, field?.code] == [.invalidUse, .invalidUse])
        #expect(field?.message == "not a table")
    }

    @Test func aViewHasNoMetatableToReach() throws {
        #expect(try run("return getmetatable(props)", props) == false)
    }
}
