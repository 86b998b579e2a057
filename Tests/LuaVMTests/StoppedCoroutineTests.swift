import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing

/// A coroutine that a limit has ended never runs again, its pending handlers neither. Lua keeps
/// hooks off in it, so nothing could stop them.
@Suite(.serialized) struct StoppedCoroutineTests {
    /// The stop of a coroutine: its reason, the code until then, and the later answer of its close.
    struct Stop: Sendable, CustomTestStringConvertible {
        let code: LuaError.Code
        let body: String
        let sentence: String

        var testDescription: String { "\(code): \(body)" }

        static let all = [
            Stop(
                code: .timeLimit, body: spin,
                sentence: "stopped after \(50 * slowness) ms in one call"),
            Stop(
                code: .instructionLimit, body: spin,
                sentence: "stopped after 200000 instructions in one call"),
            Stop(
                code: .memoryLimit,
                body: "pcall(function() local t = {} while true do t[#t + 1] = {} end end)",
                sentence: "stopped at 8 MB of memory"),
            Stop(
                code: .memoryLimit,
                body: "pcall(function() local s = 'x' while true do s = s .. s end end)",
                sentence: "stopped at 8 MB of memory"),
            Stop(
                code: .depth, body: "local function deep() nested(deep) end deep()",
                sentence: """
                    calls are nested deeper than 9 levels, or than the stack of the thread has room \
                    for
                    """),
            Stop(code: .interrupted, body: spin, sentence: "the call was interrupted"),
            Stop(
                code: .printLimit, body: "while true do print('0123456789') end",
                sentence: "the call printed more than 100 bytes"),
        ]
        private static let spin = "while true do end"
    }

    /// The ways to run the coroutine into the limit, with the handler of `held` pending.
    private static let meetings = [
        "co = coroutine.create(held) coroutine.resume(co)",
        "co = coroutine.create(held) pcall(coroutine.resume, co)",
        "wrapped = coroutine.wrap(function() co = coroutine.running() held() end) wrapped()",
        "co = coroutine.create(function() pcall(held) held() end) coroutine.resume(co)",
        "co = coroutine.create(function() coroutine.resume(coroutine.create(held)) held() end) coroutine.resume(co)",
        """
        co = coroutine.create(function()
            local x <close> = endless
            local y <close> = setmetatable({}, { __close = body })
            coroutine.yield()
        end)
        coroutine.resume(co)
        coroutine.close(co)
        """,
        """
        co = coroutine.create(function() pcall(function() coroutine.yield() held() end) end)
        coroutine.resume(co)
        coroutine.resume(co)
        """,
    ]

    /// A way to have the handlers run in a later call, and its outcome, given the limit's sentence.
    private struct Way: Sendable {
        let source: String
        let isSaid: @Sendable (Value?, String) -> Bool

        init(_ source: String, _ isSaid: @escaping @Sendable (Value?, String) -> Bool) {
            self.source = source
            self.isSaid = isSaid
        }

        static let all = [
            Way("return { coroutine.close(co) }") { $0 == [false, .string($1)] },
            Way("coroutine.close(co) return { pcall(coroutine.close, co) }") {
                $0 == [true, false, .string($1)]
            },
            Way("return { coroutine.resume(co) }") { said, _ in
                said == [false, "cannot resume dead coroutine"]
            },
            Way("return (pcall(wrapped or error))") { said, _ in said == false },
            Way("return coroutine.status(co)") { said, _ in said == "dead" },
            Way(
                """
                local said
                local function close() said = { coroutine.close(co) } end
                do local x <close> = setmetatable({}, { __close = close }) end
                return said
                """
            ) { $0 == [false, .string($1)] },
            Way("co, wrapped = nil, nil return 'gone'") { said, _ in said == "gone" },
        ]
    }

    private func options(for stop: Stop, _ isolation: LuaVM.Options.Isolation) -> LuaVM.Options {
        var options = LuaVM.Options()
        options.isolation = isolation
        options.timeLimit =
            stop.code == .timeLimit ? .milliseconds(50) * slowness : .unreached
        options.memoryLimit = 8 << 20
        options.maximumDepth = 9
        options.printLimit = 100
        if stop.code == .instructionLimit { options.instructionLimit = 200_000 }
        return options
    }

    /// Runs `body` while another thread interrupts the call, if that is what stops it.
    private func meet(_ stop: Stop, in vm: LuaVM, _ body: () throws(LuaError) -> Void) -> LuaError?
    {
        let done = DispatchSemaphore(value: 0), interrupt = vm.interrupt
        if stop.code == .interrupted {
            Thread.detachNewThread {
                while !interrupt.stop() { sched_yield() }
                done.signal()
            }
        }
        defer { if stop.code == .interrupted { done.wait() } }
        do throws(LuaError) { try body() } catch { return error }
        return nil
    }

    /// Lets a coroutine meet the limit, and tries to have its handlers run in a later call.
    private func play(
        _ stop: Stop, _ isolation: LuaVM.Options.Isolation, meeting: String, way: Way
    ) throws { while try !hasPlayed(stop, isolation, meeting: meeting, way: way) {} }

    /// - Returns: False if the call was stopped before the coroutine ran, on a busy machine.
    private func hasPlayed(
        _ stop: Stop, _ isolation: LuaVM.Options.Isolation, meeting: String, way: Way
    ) throws -> Bool {
        let vm = try LuaVM(options(for: stop, isolation))
        let hasBegun = Mutex(false)
        try vm.define("begin") { _ throws(LuaError) in
            hasBegun.withLock { $0 = true }
            return .none
        }
        try vm.define("nested") { call throws(LuaError) in
            _ = try call.vm.call(call.reference(at: 1))
            return .none
        }
        let source = """
            local co, wrapped
            local ran = 0
            local endless = setmetatable({}, { __close = function()
                ran = ran + 1
                while true do end
            end })
            local function body() begin() \(stop.body) end
            local function held()
                local x <close> = endless
                body()
            end
            return function(later)
                if later then \(way.source) else \(meeting) end
            end
            """
        let made = try unhurried {
            try vm.call(vm.load(source, chunkName: "t.lua"), returning: .reference)
        }
        let run = try #require(made.reference)
        let error = meet(stop, in: vm) { () throws(LuaError) in _ = try vm.call(run, .value(false))
        }
        #expect(error?.code == stop.code, "\(meeting)")
        guard hasBegun.withLock(\.self) else { return false }
        // Nothing needs a limit to end now.
        let later = try unhurried { try vm.call(run, .value(true), returning: .value).value }
        #expect(way.isSaid(later, stop.sentence), "\(meeting): \(way.source)")
        #expect(try vm.run("return 1") == 1)
        return true
    }

    @Test(arguments: Stop.all) func noHandlerRunsLater(stop: Stop) throws {
        for meeting in Self.meetings {
            for way in Way.all { try play(stop, .none, meeting: meeting, way: way) }
        }
    }

    #if os(Linux)
        /// Load could reach the other process's limit of time in the later call too.
        @Test(arguments: Stop.all.filter { $0.code != .timeLimit })
        func noHandlerRunsLaterInAProcess(stop: Stop) throws {
            for meeting in Self.meetings {
                for way in Way.all { try play(stop, .process, meeting: meeting, way: way) }
            }
        }
    #endif

    /// A coroutine that failed by itself, or was suspended when a limit ended the call, is as ever.
    @Test func whatALimitDidNotEndIsClosedAsEver() throws {
        var options = LuaVM.Options()
        options.timeLimit = nil
        options.instructionLimit = 100_000
        let vm = try LuaVM(options)
        let made = try vm.call(
            vm.load(
                """
                local ran = {}
                local function closing(name)
                    return setmetatable({}, { __close = function() ran[#ran + 1] = name end })
                end
                local failed = coroutine.create(function() local x <close> = closing('failed') error('own', 0) end)
                local waits = coroutine.create(function() local x <close> = closing('waits') coroutine.yield() end)
                return function(later)
                    if later then return { { coroutine.close(failed) }, { coroutine.close(waits) }, ran } end
                    coroutine.resume(failed)
                    coroutine.resume(waits)
                    while true do end
                end
                """, chunkName: "t.lua"), returning: .reference)
        let run = try #require(made.reference)
        #expect(throws: LuaError.self) { try vm.call(run, .value(false)) }
        let later = try vm.call(run, .value(true), returning: .value).value
        #expect(later == [[false, "own"], [true], ["failed", "waits"]])
    }
}
