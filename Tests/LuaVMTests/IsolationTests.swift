import Foundation
@testable import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing

#if os(Linux)
    @Suite(.serialized) struct IsolationTests {
        private func makeVM(_ change: (inout LuaVM.Options) -> Void = { _ in }) throws -> LuaVM {
            var options = LuaVM.Options.unhurried
            options.isolation = .process
            change(&options)
            return try LuaVM(options)
        }

        // MARK: The same results as without isolation

        @Test(arguments: [
            "return 1 + 1", "return 'text'", "return {1, {a = true}, 2.5}", "return nil",
            "return math.random(1000)", "error('wrong')", "error({})", "x = = 1",
            "return {a = print}", "return 0 / 0", "return {1, nil, 3}", "local t = nil return t.x",
            "return host({ 1, 2, a = {} }, 'text', 7)", "host()", "return pcall(host)",
            "local ok, why = pcall(host) return why", "return nested(function() return 5 end)",
            "return nested(function() error('inner') end)", "return record()",
            "return fields({ a = 1, b = {}, 3 })",
            "local t = {} for i = 1, 500 do t['k' .. i] = {} end return fields(t)",
            "return host(('x'):rep(100000))", "return ('x'):rep(1000000)",
            "print('one', 2) return 1",
        ]) func aChunkComesToTheSame(source: String) throws {
            #expect(try outcome(of: source, in: makeVM()) == outcome(of: source, in: LuaVM()))
        }

        private func outcome(of source: String, in vm: LuaVM) throws -> String {
            var printed = ""
            vm.onPrint = { printed += "\($0.text) at \(String(describing: $0.location))" }
            try vm.define("host") { call throws(LuaError) in
                guard call.argumentCount > 0 else { throw LuaError(.host, "no argument") }
                let text = call.string(at: 2) ?? "none"
                let length = call.string(at: 1)?.utf8.count ?? -1
                let place = call.callerLocation.map { "\($0)" } ?? "nowhere"
                let sum = length + (call.integer(at: 3) ?? 0) + call.argumentCount
                return .value(.string("\(call.type(at: 1)) \(text) \(sum) \(place)"))
            }
            try vm.define("nested") { call throws(LuaError) in
                let function = try call.reference(at: 1)
                let result = try call.vm.call(function, returning: .reference)
                return result.reference.map { .reference($0) } ?? .none
            }
            try vm.define("record") { call throws(LuaError) in .reference(try call.vm.makeRecord())
            }
            try vm.define("fields") { call throws(LuaError) in
                let fields = try call.fields(at: 1)
                return .value(.list(Value.List(fields.map { .string("\($0.key) \($0.type)") })))
            }
            do throws(LuaError) {
                return "\(try vm.run(source)) \(printed)"
            } catch { return "\(error.code) \(error) \(error.frames) \(error.locals) \(printed)" }
        }

        @Test func callsWithinCallsComeToAnEnd() throws {
            let vm = try makeVM { $0.maximumDepth = 50 }
            try vm.define("nested") { call throws(LuaError) in
                _ = try call.vm.call(try call.reference(at: 1))
                return .none
            }
            let error = try vm.failure(of: "local function f() return nested(f) end return f()")
            #expect(error.code == .depth)
            #expect(
                error.message == """
                    calls are nested deeper than 50 levels, or than the stack of the thread has \
                    room for
                    """)
            #expect(!vm.isGone)
        }

        @Test func thatEndCannotBeCaught() throws {
            let vm = try makeVM { $0.maximumDepth = 50 }
            try vm.define("nested") { call throws(LuaError) in
                _ = try? call.vm.call(try call.reference(at: 1))
                return .none
            }
            let error = try vm.failure(
                of: "local function f() pcall(nested, f) end f() return 'went on'")
            #expect(error.code == .depth)
            #expect(try vm.run("return 1") == 1)
        }

        @Test func mathRandomGoesOnWhereItWas() throws {
            let (vm, other) = (try makeVM(), try LuaVM())
            #expect(vm.randomState == other.randomState)
            #expect(try vm.run("return math.random(1000)") == other.run("return math.random(1000)"))
            #expect(vm.randomState == other.randomState)
            try vm.restart()
            #expect(try vm.run("return math.random(1000)") == other.run("return math.random(1000)"))
        }

        @Test func functionsThatNoScriptReachesAreForgotten() throws {
            let vm = try makeVM()
            for _ in 0..<100 { _ = try vm.makeFunction { _ in .none } }
            vm.collectGarbage()
            #expect(vm.functions.count(where: { $0 != nil }) == 0)
        }

        @Test(arguments: ["while true do end", "while true do pcall(error) end"])
        func limitsHoldInTheProcess(source: String) throws {
            // Time enough for a call that ends.
            let vm = try makeVM { $0.timeLimit = .milliseconds(500) }
            #expect(try vm.failure(of: source).code == .timeLimit)
            #expect(!vm.isGone)
            #expect(try vm.run("return 1") == 1)
        }

        @Test func anInterruptReachesTheProcess() throws {
            let vm = try makeVM { $0.timeLimit = nil }
            let interrupt = vm.interrupt
            Thread.detachNewThread { while !interrupt.stop() { sched_yield() } }
            #expect(try vm.failure(of: "while true do pcall(error) end").code == .interrupted)
            #expect(try vm.run("return 1") == 1)
        }

        /// The time of a host function is the script's, but the process is not blamed for it.
        @Test(arguments: [LuaVM.Options.Isolation.none, .process])
        func aSlowHostFunctionEndsInTheTimeLimit(isolation: LuaVM.Options.Isolation) throws {
            let vm = try makeVM {
                $0.timeLimit = .milliseconds(20)
                $0.isolation = isolation
            }
            // Longer than the limit and the grace period.
            try vm.define("slow") { _ in
                dawdle(.milliseconds(1100))
                return .none
            }
            #expect(try vm.failure(of: "slow() while true do end").code == .timeLimit)
            #expect(!vm.isGone)
            #expect(try vm.run("return 1") == 1)
        }

        @Test func aTableWhoseFieldsDoNotFitIntoAMessageIsRefused() throws {
            // Many fields with the same long text, which takes memory only once.
            let vm = try makeVM {
                $0.memoryLimit = 1 << 20
                $0.valueLimits = .init(depth: 10, count: 10, byteCount: 1 << 20)
                $0.printLimit = 0
            }
            let make = try vm.load(
                "local t, s = {}, ('x'):rep(100000) for i = 1, ... do t[i] = s end return t",
                chunkName: "t.lua")
            func fields(_ count: Int) throws -> Int {
                let made = try vm.call(make, .value(.int(count)), returning: .reference)
                return try vm.fields(of: #require(made.reference)).count
            }
            #expect(try fields(30) == 30)
            let error = try #require(throws: LuaError.self) { try fields(60) }
            #expect(error.code == .memoryLimit)
            #expect(!vm.isGone)
            #expect(try fields(30) == 30)
        }

        // MARK: The wall

        @Test func theKernelConfirmsTheWall() throws {
            let vm = try makeVM()
            let process = try #require(vm.processID)
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1\n"))
            #expect(status.contains("Seccomp:\t2\n"))
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            for name in ["Max open files", "Max processes", "Max file size", "Max core file size"] {
                let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
                #expect(line.dropFirst(name.count).split(separator: " ").prefix(2) == ["0", "0"])
            }
            let space = try #require(
                limits.split(separator: "\n").first { $0.hasPrefix("Max address") })
            #expect(!space.contains("unlimited"))
        }

        /// A file, a socket, another process's id, a fork, another program, a signal, a descriptor.
        @Test(arguments: 0..<UInt32(7)) func whatIsForbiddenEndsTheProcess(what: UInt32) throws {
            let vm = try makeVM()
            let error = try #require(throws: LuaError.self) { try vm.tryForbidden(what) }
            #expect(error.code == .processEnded)
            #expect(
                error.message
                    == "the process that ran the script was ended: signal 31 (a call of the system that it may not make)"
            )
            #expect(vm.isGone)
        }

        @Test func aCrashIsTold() throws {
            let vm = try makeVM()
            let error = try #require(throws: LuaError.self) { try vm.tryForbidden(7) }
            #expect(
                error.message == "the process that ran the script was ended: signal 6 (aborted)")
        }

        // MARK: The end of the process

        @Test func anEndOfItsOwnIsTold() throws {
            let vm = try makeVM()
            let error = try #require(throws: LuaError.self) { try vm.tryForbidden(10) }
            #expect(
                error.message
                    == "the process that ran the script was ended: it ended with status 10")
        }

        @Test func aProcessThatDoesNotHearIsEnded() throws {
            let vm = try makeVM {
                $0.timeLimit = nil
                $0.isolationGrace = .milliseconds(100)
            }
            let interrupt = vm.interrupt
            let process = try #require(vm.processID)
            try vm.define("ready") { _ in
                kill(process, SIGSTOP)
                Thread.detachNewThread { interrupt.stop() }
                return .none
            }
            #expect(
                try vm.failure(of: "ready()").message
                    == "the process that ran the script was ended: it did not end a call that was interrupted"
            )
        }

        @Test func aProcessThatIsStoppedDoesNotComeBack() throws {
            let vm = try makeVM {
                $0.timeLimit = .milliseconds(100)
                $0.isolationGrace = .milliseconds(100)
            }
            let function = try vm.load("return 1", chunkName: "t.lua")
            kill(try #require(vm.processID), SIGSTOP)
            let error = try #require(throws: LuaError.self) { try vm.call(function) }
            #expect(error.code == .processEnded)
            #expect(
                error.message
                    == "the process that ran the script was ended: it did not come back within 0.2 seconds"
            )
            #expect(vm.processID == nil)
        }

        @Test func aProcessThatIsKilledMeanwhileIsReplaced() throws {
            let vm = try makeVM { $0.timeLimit = nil }
            let process = try #require(vm.processID)
            try vm.define("ready") { _ in
                Thread.detachNewThread { kill(process, SIGKILL) }
                return .none
            }
            let before = try vm.makeRecord()
            let error = try vm.failure(of: "ready() while true do pcall(error) end")
            #expect(error.code == .processEnded)
            #expect(error.message == "the process that ran the script was ended: signal 9 (killed)")
            #expect(try vm.failure(of: "return 1").code == .processEnded)
            #expect(throws: LuaError.self) { try vm.makeRecord() }
            // The process is gone, not even a zombie.
            #expect(kill(process, 0) == -1)

            try vm.restart()
            #expect(!vm.isGone)
            #expect(vm.generation == 2)
            #expect(try vm.run("return 1") == 1)
            // References of the earlier process are recognised.
            #expect(throws: LuaError.self) { try vm.encode(before) }
            let after = try vm.makeRecord()
            #expect(try vm.encode(after) == [:])
        }

        @Test func theEndIsNoticedWhenNothingIsUnderWay() async throws {
            let vm = try makeVM()
            #expect(!vm.isGone)
            kill(try #require(vm.processID), SIGKILL)
            while !vm.isGone { await Task.yield() }
            #expect(try vm.failure(of: "return 1").message.hasSuffix("signal 9 (killed)"))
        }

        @Test func aHostFunctionMayFindTheProcessGone() throws {
            let vm = try makeVM()
            try vm.define("end_it") { call throws(LuaError) in
                try call.vm.tryForbidden(7)
                return .none
            }
            #expect(try vm.failure(of: "pcall(end_it) return 1").code == .processEnded)
            try vm.restart()
            #expect(try vm.run("return 2") == 2)
        }

        @Test func nothingIsLeftBehind() throws {
            func openFiles() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            let before = try openFiles()
            for round in 0..<60 {
                let vm = try makeVM()
                let first = try #require(vm.processID)
                if round % 2 == 0 { try vm.restart() }
                let last = try #require(vm.processID)
                #expect((first == last) == (round % 2 != 0))
                if first != last { #expect(kill(first, 0) == -1) }
            }
            // Each has four descriptors; other tests open some meanwhile.
            #expect(try openFiles() < before + 100)
        }

        @Test func aVMThatIsGoneIsClosed() throws {
            var process: Int32?
            do { process = try makeVM().processID }
            #expect(kill(try #require(process), 0) == -1)
        }
    }
#endif
