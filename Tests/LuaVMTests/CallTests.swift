import LuaVM
import PlainValue
import Testing

@Suite struct CallTests {
    @Test func aChunkReturnsItsValue() throws {
        let vm = try LuaVM()
        let value = try vm.run("return {1, 2.5, {a = 'x', b = true}, {}}")
        #expect(
            value == .list([.int(1), .double(2.5), .record(["a": "x", "b": true]), .list([])]))
    }

    @Test func aTextIsRunForAValueOfAType() throws {
        let vm = try LuaVM()
        #expect(try vm.run("return { 'a', 'b' }", as: [String].self) == ["a", "b"])
        let error = #expect(throws: LuaError.self) { try vm.run("return 'a'", as: Int.self) }
        #expect(error?.message == "result: expected an integer, found a string")
    }

    @Test func literalsAreArguments() throws {
        let vm = try LuaVM()
        let list = try vm.load("return {...}", chunkName: "t.lua")
        #expect(
            try vm.call(list, [1, 2.5, "n\(3)", true], returning: .value).value == [
                1, 2.5, "n3", true,
            ])
    }

    @Test func argumentsArriveInOrder() throws {
        let vm = try LuaVM()
        let f = try vm.load("return {n = select('#', ...), ...}", chunkName: "t.lua")
        let list = try vm.load("return {...}", chunkName: "t.lua")
        let one = try vm.call(list, .value(1), returning: .value).value
        let two = try vm.call(list, .value(1), .value("b"), returning: .value).value
        let three = try vm.call(
            list, .value(1), .value("b"), .value([true, nil]), returning: .value
        ).value
        let many = try vm.call(
            list, (1...40).map { LuaArgument.value(.int($0)) }, returning: .value
        ).value
        #expect(one == [1])
        #expect(two == [1, "b"])
        #expect(three == [1, "b", [true, nil]])
        #expect(many == .list(.init((1...40).map { .int($0) })))
        #expect(try vm.call(f, .nil, returning: .reference).type == .table)
    }

    @Test func resultsComeInTheFormsAskedFor() throws {
        let vm = try LuaVM()
        let f = try vm.load("return {1}", chunkName: "t.lua")
        let nothing = try vm.call(f)
        #expect(nothing.value == nil)
        #expect(nothing.reference == nil)
        let both = try vm.call(f, returning: .both)
        #expect(both.value == [1])
        #expect(both.type == .table)
        let again = try vm.encode(#require(both.reference))
        #expect(again == [1])
    }

    @Test func aFunctionThatReturnsNothingReturnsNil() throws {
        let vm = try LuaVM()
        let result = try vm.call(vm.load("return", chunkName: "t.lua"), returning: .value)
        #expect(result.isNil)
        #expect(result.value == .some(.null))
    }

    @Test func hostFunctionsSeeArgumentsAndReply() throws {
        let vm = try LuaVM()
        try vm.define("host") { call throws(LuaError) in
            let name = try call.field("name", at: 3)
            let rest = try call.value(at: 3, root: "options")
            return .value([
                .int(call.argumentCount), .string(call.string(at: 1) ?? "?"),
                .int(call.integer(at: 2) ?? -1), name.scalar ?? "?", rest,
                .string(call.callerLocation?.description ?? "?"),
            ])
        }
        let value = try vm.run("\nreturn host('a', 7, {name = 'n', 1 and nil})")
        #expect(value == [3, "a", 7, "n", ["name": "n"], "t.lua:2"])
    }

    @Test func hostFunctionsCallBackIntoLua() throws {
        let vm = try LuaVM()
        try vm.define("twice") { call throws(LuaError) in
            let f = try call.reference(at: 1)
            let result = try call.vm.call(f, .value(2), returning: .reference)
            return result.reference.map { .reference($0) } ?? .none
        }
        #expect(try vm.run("return twice(function(x) return x * 21 end)") == 42)
    }

    @Test func referencesAreReleased() throws {
        let vm = try LuaVM()
        vm.collectGarbage()
        let before = vm.memoryInUse
        for _ in 0..<200 { _ = try vm.makeTable([["a": 1], ["b": 2]]) }
        vm.collectGarbage()
        #expect(vm.memoryInUse <= before + 4096)
    }

    @Test func hostFunctionsAreLetGo() throws {
        final class Token {}
        let vm = try LuaVM()
        var token: Token? = Token()
        weak let weakToken = token
        do {
            _ = try vm.makeFunction("host") { [token] _ in
                _ = token
                return .none
            }
        }
        token = nil
        #expect(weakToken != nil)
        vm.collectGarbage()
        #expect(weakToken == nil)
    }
}
