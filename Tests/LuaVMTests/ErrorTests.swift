import LuaVM
import PlainValue
import TestSupport
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
        #expect(try vm.failure(of: "error({})").message == "error object is a table: {}")
        #expect(
            try vm.failure(of: "error({ code = 42, why = { \"no\" } })").message
                == "error object is a table: { code = 42, why = { \"no\" } }")
        #expect(try vm.failure(of: "error()").message == "error object is a nil value")
        #expect(try vm.failure(of: "error(42)").message == "42")
    }

    @Test(arguments: [
        "error(failure)", "assert(false, failure)", "error(failure, 2)",
        "coroutine.wrap(function() error(failure) end)()",
        "local _, e = pcall(error, failure) error(e)",
        "local ok, e = coroutine.resume(coroutine.create(error), failure) error(e)",
        "local t <close> = setmetatable({}, { __close = function() error(failure) end })",
        "return 1 + setmetatable({}, { __add = function() error(failure) end })",
    ]) func anErrorObjectSaysItsText(_ raising: String) throws {
        let vm = try LuaVM()
        let error = try vm.failure(
            of: """
                local Failure = { __tostring = function(e) return e.kind .. ": " .. e.why end }
                Failure.__index = Failure
                local failure = setmetatable({ kind = "payment", why = "card declined" }, Failure)
                \(raising)
                """)
        #expect(error.code == .runtime)
        #expect(error.message == "payment: card declined")
        #expect(error.location?.line == 4)
        #expect(try vm.run("return 1") == 1)
    }

    /// An object that cannot say its text is shown as a table.
    @Test(arguments: [
        "function() error('no') end", "function() return 42 end", "function() return nil end",
        "function() end", "42", "{}", "coroutine.yield", "coroutine.wrap(function() end)", "error",
        "string.rep", "function() coroutine.yield('text') end", "tostring",
        "function(e) return tostring(e) end", "function(e) error(e) end", "'text'",
    ]) func anErrorObjectThatCannotSayItsTextIsATable(_ method: String) throws {
        let vm = try LuaVM()
        let error = try vm.failure(
            of: "\nerror(setmetatable({ code = 42 }, { __tostring = \(method) }))")
        #expect(error.code == .runtime)
        #expect(error.message == "error object is a table: { code = 42 }")
        #expect(error.location?.line == 2)
    }

    @Test func theTextOfAnErrorObjectIsMadeWithinTheLimits() throws {
        var options = LuaVM.Options()
        options.timeLimit = .unreached
        options.instructionLimit = 100_000
        let vm = try LuaVM(options)
        func code(_ body: String) throws -> LuaError.Code {
            try vm.failure(
                of: "error(setmetatable({}, { __tostring = function(e) \(body) end }))"
            ).code
        }
        #expect(try code("while true do end") == .instructionLimit)
        #expect(try code("while true do pcall(error) end") == .instructionLimit)
        let error = try vm.failure(
            of: "error(setmetatable({}, { __tostring = function() return ('x'):rep(100000) end }))")
        #expect(error.message == String(repeating: "x", count: 2048))
        #expect(try vm.run("return 1") == 1)
    }

    /// The places and locals of the error stay.
    @Test func theTextOfAnErrorObjectReplacesOnlyTheMessage() throws {
        let vm = try LuaVM()
        let child = try vm.load("error('inner')", chunkName: "child.lua")
        try vm.define("call") { call throws(LuaError) in
            _ = try? call.vm.call(child)
            return .none
        }
        let error = try vm.failure(
            of: """
                local text = { __tostring = function() call() return "said" end }
                local function inner()
                    local count = 3
                    error(setmetatable({}, text))
                end
                inner()
                """)
        #expect(error.message == "said")
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 4))
        #expect(error.frames.map(\.location.line) == [4, 6])
        #expect(error.locals.map(\.name) == ["count"])
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
        #expect(try vm.run("return select(2, pcall(function() fail() end))") == "t.lua:1: no")
        let error = try vm.failure(of: "local _, e = pcall(function() fail() end)\nerror(e, 0)")
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
        var options = LuaVM.Options.unhurried
        options.sourceLimit = 10
        let vm = try LuaVM(options)
        let error = try vm.failure(of: "return 12345678")
        #expect(error.code == .sourceTooLong)
        #expect(error.message == "the source text has more than 10 bytes")
    }

    private func locals(_ source: String) throws -> [String] {
        try LuaVM().failure(of: source + "\nerror('told')").locals.map {
            "\($0.name) = \($0.value)"
        }
    }

    @Test func tablesAmongLocalsAreWrittenOutAsFarAsALineGoes() throws {
        #expect(
            try locals(
                """
                local cart = { items = { { id = 1, tags = { "a" } } }, total = 12.5, note = "" }
                local twenty = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 }
                local wide = { rows = {}, title = ("x"):rep(70) }
                for i = 1, 9 do wide.rows[i] = { id = i, text = ("y"):rep(i) } end
                """) == [
                    #"cart = { items = { { id = 1, tags = { "a" } } }, note = "", total = 12.5 }"#,
                    "twenty = { \((1...20).map(String.init).joined(separator: ", ")) }",
                    "wide = { rows = { 9 items }, title = \"\(String(repeating: "x", count: 60))…\" }",
                ])
    }

    @Test func longTablesAmongLocalsAreCut() throws {
        #expect(
            try locals(
                """
                local numbers, deep, self = {}, { { { { { { 1 } } } } } }, {}
                for i = 1, 40 do numbers[i] = i end
                self.self = self
                """)
                == [
                    "numbers = { 1, 2, 3, 4, 5, 6, 7, 8, … }",
                    "deep = { { { { { 1 item } } } } }",
                    "self = { self = { self = { self = { self = { 1 field } } } } }",
                ])
    }

    @Test func viewsAreDescribedWhetherReadBeforeOrNot() throws {
        let vm = try LuaVM()
        let value: Value = [
            "empty": [], "flags": [true, false], "n": [1, 300, 5_000_000_000, 0.5, 2.0, .null],
            "text": "a\"b\n",
        ]
        let text =
            #"{ empty = {}, flags = { true, false }, n = { 1, 300, 5000000000, 0.5, 2.0, null }, "#
            + #"text = "a\"b\n" }"#
        for read in ["", "local _ = props.n;"] {
            let function = try vm.load(
                "local props = ...; \(read) error('told')", chunkName: "t.lua")
            let view = try vm.makeView(of: value, label: "props")
            let error = try #require(throws: LuaError.self) {
                try vm.call(function, .reference(view), returning: .nothing)
            }
            #expect(error.locals.first?.value == text)
        }
    }

    @Test func aValueOfTheHostIsDescribedAsThoseOfAScript() {
        #expect(
            LuaLocal(name: "n", value: ["rows": [["id": 1]]]).value == "{ rows = { { id = 1 } } }")
        let long = LuaLocal(name: "n", value: .list(Value.List((0..<60).map { .string("é\($0)") })))
        #expect(long.value.hasPrefix(#"{ "é0", "#))
        #expect(long.value.hasSuffix("… }"))
        let text = LuaLocal(name: "n", value: .string(String(repeating: "é", count: 99)))
        #expect(text.value == "\"" + String(repeating: "é", count: 30) + "…\"")
    }
}
