import LuaVM
import PlainValue
import Testing

@Suite struct ErrorTests {
    @Test func aRuntimeErrorTellsItsPlaceAndFrames() throws {
        let vm = try LuaVM()
        let error = try vm.failure(
            of: """
                local function inner(rows)
                    local count = 3
                    return rows.title .. count
                end
                local function outer()
                    local result = inner({})
                    return result
                end
                local result = outer()
                return result
                """)
        #expect(error.code == .runtime)
        #expect(error.message == "attempt to concatenate a nil value (field 'title')")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 3))
        #expect(error.frames.map(\.location.line) == [3, 6, 9])
        #expect(error.frames.map(\.function) == ["inner", "outer", "main chunk"])
        #expect(error.locals.map(\.name) == ["rows", "count"])
        #expect(error.locals.map(\.value) == ["{}", "3"])
    }

    @Test func aSyntaxErrorTellsItsLine() throws {
        let vm = try LuaVM()
        let error = try vm.failure(of: "\nlocal x = = 1")
        #expect(error.code == .syntax)
        #expect(error.message == "unexpected symbol near '='")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 2))
    }

    @Test func aForgedPlaceStaysText() throws {
        let vm = try LuaVM()
        let error = try vm.failure(of: "\n\nerror('/etc/passwd:1: not from here', 0)")
        #expect(error.message == "/etc/passwd:1: not from here")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 3))
    }

    @Test func anErrorBlamedOnTheCallerIsPlacedThere() throws {
        let vm = try LuaVM()
        let error = try vm.failure(
            of: """
                local function check() error("bad", 2) end
                local function user()
                    check()
                end
                user()
                """)
        #expect(error.message == "bad")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 3))
    }

    @Test func anErrorObjectThatIsNoStringIsNamedByItsType() throws {
        let vm = try LuaVM()
        #expect(try vm.failure(of: "error({})").message == "error object is a table value")
        #expect(try vm.failure(of: "error()").message == "error object is a nil value")
        #expect(try vm.failure(of: "error(42)").message == "42")
    }

    @Test func invalidTextInAMessageIsReplaced() throws {
        let vm = try LuaVM()
        #expect(try vm.failure(of: #"error("bad \xff bytes", 0)"#).message == "bad \u{fffd} bytes")
    }

    @Test func aHostErrorComesOutAsItself() throws {
        struct Reason: Error {}
        let vm = try LuaVM()
        try vm.define("fail") { _ throws(LuaError) in
            var error = LuaError(.host, "no such thing")
            error.underlying = Reason()
            throw error
        }
        let error = try vm.failure(of: "\nlocal function f() fail() end\nf()")
        #expect(error.code == .host)
        #expect(error.message == "no such thing")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 2))
        #expect(error.underlying is Reason)
        #expect(error.frames.map(\.location.line) == [2, 3])
    }

    @Test func aHostErrorCanBeCaughtAndRaisedAgain() throws {
        let vm = try LuaVM()
        try vm.define("fail") { _ throws(LuaError) in throw LuaError(.host, "no") }
        #expect(try vm.run("return select(2, pcall(fail))") == "t.lua:1: no")
        #expect(
            try vm.run("return select(2, pcall(function() fail() end))") == "t.lua:1: no")
        let error = try vm.failure(
            of: "local _, e = pcall(function() fail() end)\nerror(e, 0)")
        #expect(error.code == .host)
        #expect(error.message == "no")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 1))
    }

    @Test func aNestedErrorKeepsItsPlaceAndGathersFrames() throws {
        let vm = try LuaVM()
        let child = try vm.load("\n\n\nlocal t = nil\nreturn t.x", chunkName: "child.lua")
        try vm.define("render") { call throws(LuaError) in
            _ = try call.vm.call(child)
            return .none
        }
        let error = try vm.failure(of: "\nrender()")
        #expect(error.message == "attempt to index a nil value (local 't')")
        #expect(error.location == LuaLocation(chunk: "child.lua", line: 5))
        #expect(error.frames.map(\.location.description) == ["child.lua:5", "t.lua:2"])
    }

    @Test func bytecodeIsRefused() throws {
        let vm = try LuaVM()
        let error = try vm.failure(of: "\u{1b}Lua")
        #expect(error.code == .syntax)
        #expect(error.message == "the source is bytecode, not text")
    }

    @Test func aLongSourceIsRefused() throws {
        var configuration = LuaVM.Configuration()
        configuration.sourceLimit = 10
        let vm = try LuaVM(configuration)
        let error = try vm.failure(of: "return 12345678")
        #expect(error.code == .sourceTooLong)
        #expect(error.message == "the source text has more than 10 bytes")
    }
}
