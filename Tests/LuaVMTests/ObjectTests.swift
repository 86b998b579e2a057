import LuaVM
import PlainValue
import Testing

@Suite struct ObjectTests {
    private func makeContext(_ vm: LuaVM, tag: Int = 7) throws -> LuaObject {
        let render = try vm.makeFunction("host") { call throws(LuaError) in
            .value(.int(call.objectTag(at: 1) ?? -1))
        }
        let type = try vm.makeObjectType("context", methods: ["render": render, "run": render])
        return try vm.makeObject(type, tag: tag)
    }

    private func run(_ source: String, _ change: (LuaObject) throws -> Void = { _ in }) throws
        -> Value
    {
        let vm = try LuaVM()
        let context = try makeContext(vm)
        try change(context)
        let function = try vm.load("local context = ... " + source, chunkName: "t.lua")
        return try vm.call(function, .reference(context.reference), returning: .value).value ?? nil
    }

    @Test func methodsSeeTheTag() throws { #expect(try run("return context:render()") == 7) }

    @Test func fieldsAreSetByTheHost() throws {
        #expect(
            try run("return {context.now, context.props}") { context in
                try context.setField("now", to: .value(5))
                try context.setField("props", to: .value(["a": 1]))
            } == [5, ["a": 1]])
    }

    @Test func aFieldThatIsNullIsKnownAndReadsAsNilAndOneThatIsNilIsUnknown() throws {
        #expect(
            try run("return { context.principal == nil, context.now }") { context in
                try context.setField("now", to: .value(5))
                try context.setField("principal", to: .value("ann"))
                try context.setField("principal", to: .value(.null))
            } == [true, 5])
        let error = try #require(throws: LuaError.self) {
            try run("return context.principal") { context in
                try context.setField("principal", to: .value(.null))
                try context.setField("principal", to: .nil)
            }
        }
        #expect(error.message == "context has no field 'principal'")
    }

    @Test(arguments: [
        ("context:rendr()", "context has no field 'rendr'. Did you mean 'render'?"),
        ("return context.nwo", "context has no field 'nwo'. Did you mean 'now'?"),
        ("return context.something", "context has no field 'something'"),
        ("return context[1]", "context has no such field"),
        ("context.now = 1", "context is read-only"),
        (
            "setmetatable(context, {})",
            "bad argument #1 to 'setmetatable' (table expected, got context)"
        ),
        ("return context .. 'x'", "attempt to concatenate a context value (local 'context')"),
    ]) func anythingElseIsAnError(source: String, message: String) throws {
        let error = try #require(throws: LuaError.self) {
            try run(source) { try $0.setField("now", to: .value(5)) }
        }
        #expect(error.message == message)
    }

    @Test func anUnusableObjectSaysSo() throws {
        let error = try #require(throws: LuaError.self) {
            try run("return context.render") { $0.access = .none }
        }
        #expect(error.message == "context is used after the call that received it")
    }

    @Test func anObjectIsNoPlainValue() throws {
        let error = try #require(throws: LuaError.self) { try run("return {context}") }
        #expect(error.message == "result[1]: an object is not a plain value")
    }

    @Test func anObjectHidesWhatItIs() throws {
        #expect(
            try run("return {type(context), tostring(context), getmetatable(context)}")
                == ["userdata", "context", false])
    }
}
