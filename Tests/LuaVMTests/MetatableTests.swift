import LuaVM
import PlainValue
import TestSupport
import Testing

/// Metatables of scripts work although Lua never uses them.
@Suite struct MetatableTests {
    private func value(_ source: String) throws -> Value { try LuaVM().run(source) }

    private func failure(_ source: String) throws -> String {
        try LuaVM().failure(of: source).message
    }

    /// The VM caches short texts among its own registry values.
    @Test func manyTextsOfTheHostLeaveMetatablesAsTheyAre() throws {
        let vm = try LuaVM()
        let words = Value.list(Value.List((1...1000).map { .string("word \($0)") }))
        let count = try vm.load(
            "local words = ... return #words + #setmetatable({}, { __len = function() return 1 end })",
            chunkName: "t.lua")
        #expect(try vm.call(count, .value(words), returning: .value).value == 1001)
    }

    @Test func aClassWithMethodsThatAreAddedAfterItsFirstInstance() throws {
        let source = """
            local Point = {}
            Point.__index = Point
            function Point.new(x, y) return setmetatable({ x = x, y = y }, Point) end
            local first = Point.new(1, 2)
            function Point:sum() return self.x + self.y end
            function Point.__tostring(p) return p.x .. ';' .. p.y end
            Point.__name = 'Point'
            return { first:sum(), tostring(first), Point.new(3, 4):sum() }
            """
        #expect(try value(source) == [3, "1;2", 7])
    }

    @Test func aMetamethodOfLuaIsInForceOnceSetmetatableIsCalledAgain() throws {
        let source = """
            local Point = {}
            Point.__index = Point
            local function new(x) return setmetatable({ x = x }, Point) end
            local zero = new(0)
            function Point.__add(a, b) return new(a.x + b.x) end
            function Point.__eq(a, b) return a.x == b.x end
            function Point.__lt(a, b) return a.x < b.x end
            function Point.__len(a) return a.x end
            function Point.__call(a, b) return a.x * b end
            local two = new(2)
            local sum = zero + two
            Point.__len = nil
            return { sum.x, sum == two, zero < two, #two, two(21), #new(5) }
            """
        #expect(try value(source) == [2, true, true, 2, 42, 0])
    }

    @Test func oneThatIsAddedLaterIsNotInForceBeforeThat() throws {
        let source = """
            local mt = {}
            local a = setmetatable({}, mt)
            mt.__index = function(_, key) return key end
            local before = a.x == nil
            setmetatable(a, mt)
            return { before, a.x }
            """
        #expect(try value(source) == [true, "x"])
    }

    @Test func classesInherit() throws {
        let source = """
            local Animal = {}
            Animal.__index = Animal
            function Animal.new(name) return setmetatable({ name = name }, Animal) end
            function Animal:speak() return self.name .. ' makes a sound' end
            local Dog = setmetatable({}, { __index = Animal })
            Dog.__index = Dog
            function Dog.new(name) return setmetatable(Animal.new(name), Dog) end
            local rex = Dog.new('Rex')
            local before = rex:speak()
            function Dog:speak() return Animal.speak(self) .. ': woof' end
            return { before, rex:speak(), getmetatable(rex) == Dog }
            """
        #expect(try value(source) == ["Rex makes a sound", "Rex makes a sound: woof", true])
    }

    @Test func aClassThatIsCalledMakesInstances() throws {
        let source = """
            local Class = setmetatable({}, { __call = function(class, x)
                return setmetatable({ x = x }, class)
            end })
            Class.__index = Class
            function Class:get() return self.x end
            return Class(7):get()
            """
        #expect(try value(source) == 7)
    }

    @Test func theScriptGetsItsOwnMetatableBack() throws {
        let source = """
            local mt, other = { __index = { a = 1 } }, { __index = { a = 2 } }
            local x, y = setmetatable({}, mt), setmetatable({}, mt)
            local same = getmetatable(x) == mt and getmetatable(y) == mt
            setmetatable(x, other)
            local changed = x.a == 2 and y.a == 1 and getmetatable(x) == other
            setmetatable(x, nil)
            return { same, changed, getmetatable(x) == nil, x.a == nil, rawequal(setmetatable(x, mt), x) }
            """
        #expect(try value(source) == [true, true, true, true, true])
    }

    @Test func aMetatableMayBeItsOwn() throws {
        let source = """
            local mt = {}
            mt.__index = function(_, key) return key .. '!' end
            setmetatable(mt, mt)
            return { mt.a, getmetatable(mt) == mt }
            """
        #expect(try value(source) == ["a!", true])
    }

    @Test func proxiesAndReadOnlyTables() throws {
        let source = """
            local stored = { a = 1 }
            local proxy = setmetatable({}, {
                __index = stored,
                __newindex = function(_, key) error('read-only: ' .. key, 0) end,
                __pairs = function() return pairs(stored) end,
                __metatable = 'locked',
            })
            local names = {}
            for name in pairs(proxy) do names[#names + 1] = name end
            return { proxy.a, select(2, pcall(function() proxy.b = 2 end)), names[1], getmetatable(proxy) }
            """
        #expect(try value(source) == [1, "read-only: b", "a", "locked"])
    }

    @Test func aMetatableIsProtectedOnceItSaysSo() throws {
        let source = """
            local mt = {}
            local t = setmetatable({}, mt)
            mt.__metatable = false
            return setmetatable(t, {})
            """
        #expect(try failure(source) == "cannot change a protected metatable")
    }

    @Test(arguments: [
        ("{ __gc = print }", "a metatable with '__gc' is not available to scripts"),
        (
            "{ __call = setmetatable({}, { __call = print }) }",
            "'__call' of a metatable is a function here, not a table value"
        ),
    ]) func whatIsNotAvailableIsRefused(metatable: String, message: String) throws {
        #expect(try failure("setmetatable({}, \(metatable))") == message)
        // Nothing was copied, and the table keeps its old metatable.
        let source = """
            local old = { __index = { a = 1 } }
            local t, mt = setmetatable({}, old), \(metatable)
            mt.__index = { a = 2 }
            pcall(setmetatable, t, mt)
            return { t.a, getmetatable(t) == old }
            """
        #expect(try value(source) == [1, true])
    }

    @Test func aFinaliserThatIsAddedLaterIsRefusedAtTheNextCall() throws {
        let source = """
            local mt = {}
            setmetatable({}, mt)
            mt.__gc = print
            setmetatable({}, mt)
            """
        #expect(try failure(source) == "a metatable with '__gc' is not available to scripts")
    }

    @Test(arguments: ["k", "v", "kv"]) func theEntriesOfAWeakTableStay(mode: String) throws {
        let vm = try LuaVM()
        let source = """
            local t = setmetatable({}, { __mode = '\(mode)' })
            for i = 1, 100 do t[{}] = {} end
            return { t = t, count = function() local n = 0 for _ in pairs(t) do n = n + 1 end return n end }
            """
        let made = try vm.call(vm.load(source, chunkName: "t.lua"), returning: .reference)
        let table = try #require(made.reference)
        let count = try #require(vm.field("count", of: table).reference)
        vm.collectGarbage()
        #expect(try vm.call(count, returning: .value).value == 100)
    }

    /// Lua 5.4.4 of Debian 12 uses freed memory when such a metamethod makes its stack grow.
    @Test func aMetamethodOfConcatenationHasNoEffect() throws {
        let message = try failure(
            """
            local t = setmetatable({}, { __concat = function() return 'x' end })
            return t .. t .. t
            """)
        #expect(message == "attempt to concatenate a table value (local 't')")
    }

    @Test func metatablesThatAreNotInUseAreLetGo() throws {
        var options = LuaVM.Options()
        options.timeLimit = .unreached
        let vm = try LuaVM(options)
        try vm.run("for i = 1, 100000 do setmetatable({}, { __index = { i } }) end")
        vm.collectGarbage()
        #expect(vm.memoryInUse < 4 << 20)
    }

    /// The script drops 100,000 metatables, so that only Lua's table refers to each.
    @Test func aChainOfMetatablesIsCollectedInTime() throws {
        var options = LuaVM.Options()
        options.timeLimit = .unreached
        let vm = try LuaVM(options)
        try vm.run(
            """
            local first, last = {}, {}
            local held = setmetatable({}, last)
            for i = 1, 100000 do
                local mt = { __index = first }
                first = setmetatable({}, mt)
                mt.__index = nil
            end
            """)
        vm.collectGarbage()
        #expect(vm.memoryInUse < 16 << 20)
    }
}
