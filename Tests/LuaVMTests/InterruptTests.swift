import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct InterruptTests {
    private func vm() throws -> LuaVM {
        var options = LuaVM.Options()
        options.timeLimit = nil
        return try LuaVM(options)
    }

    /// Interrupts the next call as soon as it runs, from a separate thread.
    private func interruptNextCall(_ stop: @escaping @Sendable () -> Bool) -> DispatchSemaphore {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !stop() { sched_yield() }
            done.signal()
        }
        return done
    }

    @Test(arguments: [
        "while true do end", "while true do pcall(function() while true do end end) end",
        "while true do xpcall(error, function() while true do end end) end",
        "coroutine.wrap(function() while true do pcall(coroutine.yield) end end)() while true do end",
        """
        local function spin() while true do end end
        while true do
            local ok = pcall(coroutine.wrap(function()
                local x <close> = setmetatable({}, { __close = spin })
                spin()
            end))
        end
        """, "while true do (('a'):rep(5000)):find(('.-'):rep(50) .. 'b') end",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t, function(a, b) return a > b end) end",
    ]) func callEndsWhateverItDoes(source: String) throws {
        let vm = try vm()
        let interrupt = vm.interrupt
        let done = interruptNextCall { interrupt.stop() }
        let error = try vm.failure(of: source)
        done.wait()
        #expect(error.code == .interrupted)
        #expect(error.code.isLimit)
        #expect(error.message == "the call was interrupted")
        #expect(error.location?.chunk == "t.lua")
        #expect(try vm.run("return 1") == 1)
    }

    @Test(arguments: HostileChunk.all.filter { $0.outcomes == [.cpuLimit] })
    func hostileSpinEnds(chunk: HostileChunk) throws {
        let vm = try vm()
        let interrupt = vm.interrupt
        let done = interruptNextCall { interrupt.stop() }
        let error = try #require(throws: LuaError.self) {
            try vm.run(chunk.source, chunkName: chunk.name)
        }
        done.wait()
        #expect(error.code == .interrupted)
        #expect(try vm.run("return 1") == 1)
    }

    @Test func interruptComesBeforeTheTimeLimit() throws {
        var options = LuaVM.Options()
        options.timeLimit = .unreached
        let vm = try LuaVM(options)
        let interrupt = vm.interrupt
        let done = interruptNextCall { interrupt.stop() }
        #expect(try vm.failure(of: "while true do end").code == .interrupted)
        done.wait()
    }

    @Test func withoutACallThereIsNothingToInterrupt() throws {
        let vm = try vm()
        #expect(!vm.interrupt.stop())
        #expect(try vm.run("local n = 0 for i = 1, 1e6 do n = n + 1 end return n") == 1_000_000)
        #expect(!vm.interrupt.stop())
    }

    @Test func interruptMayOutliveItsVM() throws {
        let interrupt = try { try vm().interrupt }()
        #expect(!interrupt.stop())
    }

    @Test func interruptFromWithinEndsTheCallAround() throws {
        let vm = try vm()
        let interrupt = vm.interrupt
        try vm.define("interrupt") { _ throws(LuaError) in .value(.bool(interrupt.stop())) }
        let error = try vm.failure(of: "pcall(interrupt)\nwhile true do end")
        #expect(error.code == .interrupted)
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 2))
    }

    @Test func interruptMayComeFromASignalHandler() throws {
        let vm = try vm()
        signalledInterrupt = vm.interrupt
        signal(SIGUSR2) { _ in
            if signalledInterrupt?.stop() == true { wasStopped.store(true, ordering: .relaxed) }
        }
        // The last signal may still be pending.
        defer { signal(SIGUSR2, SIG_IGN) }
        let done = interruptNextCall {
            kill(getpid(), SIGUSR2)
            return wasStopped.load(ordering: .relaxed)
        }
        #expect(try vm.failure(of: "while true do end").code == .interrupted)
        done.wait()
    }

    @Test func interruptOfAnInnerVMLeavesTheOuterOneAtWork() throws {
        let (outer, inner) = (try vm(), try vm())
        var code: LuaError.Code?
        try outer.define("inner") { _ throws(LuaError) in
            do throws(LuaError) { try inner.run("while true do end") } catch { code = error.code }
            return .none
        }
        let interrupt = inner.interrupt
        let done = interruptNextCall { interrupt.stop() }
        #expect(try outer.run("inner() return 2") == 2)
        done.wait()
        #expect(code == .interrupted)
    }

    @Test func interruptOfAnOuterVMEndsTheInnerOneToo() throws {
        let (outer, inner) = (try vm(), try vm())
        let innerInterrupt = inner.interrupt
        let outerInterrupt = outer.interrupt
        var code: LuaError.Code?
        try inner.define("stop") { _ throws(LuaError) in .value(.bool(outerInterrupt.stop())) }
        try outer.define("inner") { _ throws(LuaError) in
            do throws(LuaError) {
                try inner.run("stop() while true do end")
            } catch { code = error.code }
            return .none
        }
        let error = try outer.failure(of: "pcall(inner) return 2")
        #expect(error.code == .interrupted)
        #expect(code == .interrupted)
        #expect(!innerInterrupt.stop())
        #expect(try inner.run("return 1") == 1)
        #expect(try outer.run("return 1") == 1)
    }

    @Test func innerTimeLimitHoldsWithinAnOuterCallThatHasNone() throws {
        let outer = try vm()
        var options = LuaVM.Options()
        options.timeLimit = .milliseconds(50)
        let inner = try LuaVM(options)
        var codes: [LuaError.Code] = []
        try outer.define("inner") { _ throws(LuaError) in
            do throws(LuaError) {
                try inner.run("while true do end")
            } catch { codes.append(error.code) }
            return .none
        }
        // The outer call has no limit between and after them.
        #expect(
            try outer.run("inner() local n = 0 for i = 1, 5e7 do n = i end inner() return 3") == 3)
        #expect(codes == [.timeLimit, .timeLimit])
    }

    /// Calls start and end, and VMs open and close, while they are constantly interrupted.
    @Test func interruptsAtAnyMomentDoNoHarm() throws {
        let ended = DispatchSemaphore(value: 0)
        let hammer = Hammer()
        Thread.detachNewThread {
            while !hammer.isOver.load(ordering: .relaxed) {
                hammer.current?.stop()
                sched_yield()
            }
            ended.signal()
        }
        for _ in 1...200 {
            let vm = try vm()
            hammer.current = vm.interrupt
            for _ in 1...20 {
                do throws(LuaError) {
                    let value = try vm.run(
                        "local t = {} for i = 1, 2000 do t[i] = { i } end return #t")
                    #expect(value == 2000)
                } catch { #expect(error.code == .interrupted) }
            }
        }
        let last = try vm()
        hammer.current = last.interrupt
        #expect(try last.failure(of: "while true do end").code == .interrupted)
        hammer.isOver.store(true, ordering: .relaxed)
        ended.wait()
        #expect(try last.run("return 1") == 1)
    }
}

/// `@unchecked Sendable`: guarded by a lock that ThreadSanitizer knows, unlike that of `Mutex`.
private final class Hammer: @unchecked Sendable {
    private let lock = NSLock()
    private var interrupt: LuaVM.Interrupt?
    var current: LuaVM.Interrupt? {
        get { lock.withLock { interrupt } }
        set { lock.withLock { interrupt = newValue } }
    }
    let isOver = Atomic(false)
}

private let wasStopped = Atomic(false)
/// The signal handler's interrupt; written before the handler is installed, and then only read.
nonisolated(unsafe) private var signalledInterrupt: LuaVM.Interrupt?
