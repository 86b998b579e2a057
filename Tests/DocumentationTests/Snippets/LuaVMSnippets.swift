import Foundation
import LuaVM
import PlainValue
import Testing

/// The code of the page of LuaVM, line for line.
@Suite struct LuaVMSnippets {
    @Test func aFunctionIsLoadedAndCalled() throws {
        let vm = try LuaVM()
        print(try vm.run("return 40 + 2", as: Int.self))  // 42

        let add = try vm.load("local a, b = ... return a + b", chunkName: "add.lua")
        let sum = try vm.call(add, 40, 2, returning: .value)
        print(sum.value ?? .null)  // 42
        #expect(sum.value == 42)
    }

    @Test func aModuleIsATableOfFunctions() throws {
        let vm = try LuaVM()
        let chunk = try vm.load(
            """
            local Greeter = {}
            function Greeter.greet(person) return "Hello, " .. person.name end
            return Greeter
            """, chunkName: "greeter.lua")
        guard let greeter = try vm.call(chunk, returning: .reference).reference,
            let greet = try vm.field("greet", of: greeter).reference
        else { throw LuaError(.runtime, "greeter.lua has no greet") }
        let text = try vm.call(greet, .value(["name": "Ada"]), returning: .value)
        print(text.value ?? .null)  // "Hello, Ada"
        #expect(text.value == "Hello, Ada")
    }

    @Test func aScriptCallsTheHost() throws {
        let vm = try LuaVM()
        var log: [String] = []
        let note = try vm.makeFunction("note") { (text: String) in
            log.append(text)
            return log.count
        }
        try vm.setGlobal("note", to: .reference(note))
        print(try vm.run("note('begin') return note('end')", as: Int.self))  // 2

        do {
            try vm.run("note(print)", chunkName: "script.lua")
        } catch {
            print(error)  // script.lua:1: argument 1 of 'note': a function is not a plain value
        }
        #expect(log == ["begin", "end"])
    }

    @Test func aLimitEndsACall() throws {
        var options = LuaVM.Options()
        options.timeLimit = .seconds(60)
        options.memoryLimit = 8 << 20
        options.instructionLimit = 10_000

        let vm = try LuaVM(options)
        let endless = try vm.load("while true do end", chunkName: "endless.lua")
        do {
            _ = try vm.call(endless)
        } catch {
            print(error.code, error.code.isLimit)  // instructionLimit true
        }
        let error = #expect(throws: LuaError.self) { try vm.call(endless) }
        #expect(error?.code == .instructionLimit)
    }

    @Test func anErrorHasItsPlaceAndTheLocals() throws {
        let vm = try LuaVM()
        let script = try vm.load("local cart = {} return cart.total.net", chunkName: "cart.lua")
        do {
            _ = try vm.call(script, returning: .value)
        } catch {
            print(error)  // cart.lua:1: attempt to index a nil value (field 'total')
            print(error.locals.map { "\($0.name) = \($0.value)" })  // ["cart = {}"]
        }
        let error = try #require(throws: LuaError.self) { try vm.call(script) }
        #expect("\(error)" == "cart.lua:1: attempt to index a nil value (field 'total')")
        #expect(error.locals.map { "\($0.name) = \($0.value)" } == ["cart = {}"])
    }

    @Test func aCallIsStoppedFromAnotherThread() throws {
        var options = LuaVM.Options()
        options.timeLimit = nil
        let vm = try LuaVM(options)
        let endless = try vm.load("while true do end", chunkName: "endless.lua")
        let interrupt = vm.interrupt
        Thread.detachNewThread {
            while !interrupt.stop() { sched_yield() }
        }
        do {
            _ = try vm.call(endless)
        } catch {
            print(error.code)  // interrupted
        }
    }

    @Test func aScriptPrints() throws {
        let vm = try LuaVM()
        var lines: [String] = []
        vm.onPrint = { line in
            lines.append("\(line.location?.description ?? ""): \(line.text)")
        }
        _ = try vm.call(vm.load("print('hello')", chunkName: "hello.lua"))
        #expect(lines == ["hello.lua:1: hello"])
    }
}
