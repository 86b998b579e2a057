import Foundation
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing

/// A single call of any function comes back soon after a limit, however costly its arguments are.
@Suite(.serialized) struct CostlyCallTests {
    /// All of a script's functions, and arguments that are costly to read, compare, walk or copy.
    private static let source = #"""
        local functions, names = {}, {}
        for name, member in pairs(_ENV) do
            if type(member) == 'function' then
                functions[#functions + 1], names[#names + 1] = member, name
            elseif type(member) == 'table' and member ~= _ENV then
                for field, f in pairs(member) do
                    if type(f) == 'function' then
                        functions[#functions + 1], names[#names + 1] = f, name .. '.' .. field
                    end
                end
            end
        end
        local size = 10000000
        local zeros = ('\0'):rep(size)
        local long, alike = ('n'):rep(30000), {}
        for i = 1, 300 do alike[long .. i] = i end
        local list, emptied, chain = {}, {}, {}
        for i = 1, 500000 do list[i] = i end
        for i = 1, 300000 do emptied[i + 0.5] = i end
        for i = 1, 300000 do emptied[i + 0.5] = nil end
        for i = 1, 1900 do chain = setmetatable({}, { __index = chain }) end
        local arguments = {
            ('x'):rep(size), ('0'):rep(size) .. '7', '0x' .. ('f'):rep(size) .. '.8', (' '):rep(size) .. '1',
            ('é'):rep(size // 2), ('%a'):rep(size // 2), zeros, zeros .. 'x', ('\0'):rep(60000), ('0'):rep(60000) .. '7',
            alike, list, emptied, chain, setmetatable({}, { __index = function(t, k) return k end }),
            setmetatable({}, { __lt = function() return true end, __tostring = function() return zeros end }),
            math.maxinteger, math.mininteger, 1e308, 3, 1, -1, 36, 2 ^ 53, '%d', '%q', '.-b', '(.-)*x', '[^x]*$', '%f[x]', 'x', '',
            ('%q'):rep(300), ('%s'):rep(300), ('%.99f'):rep(3000), ('b'):rep(60000), ('z'):rep(60000), ('s1'):rep(20000),
            function(...) return ... end, next, string.rep, coroutine.create(function() coroutine.yield() end),
        }
        local wide = {}
        for i, argument in ipairs(arguments) do
            wide[i] = {}
            for j = 1, 100000 do wide[i][j] = argument end
        end
        return function(picks)
            local function pick(i) return arguments[picks[i] % #arguments + 1] end
            local index = picks[1] % #functions + 1
            if #picks > 5 then return names[index] end
            if picks[5] % 2 == 0 then
                functions[index](pick(2), table.unpack(wide[picks[3] % #arguments + 1]))
            else
                functions[index](pick(2), pick(3), pick(4))
            end
        end
        """#

    private func made() throws -> (LuaVM, LuaReference) {
        var options = LuaVM.Options()
        options.timeLimit = .unreached
        options.memoryLimit = 256 << 20
        options.printLimit = 1 << 40
        let vm = try LuaVM(options)
        let made = try vm.call(vm.load(Self.source, chunkName: "t.lua"), returning: .reference)
        return (vm, try #require(made.reference))
    }

    /// Makes calls, each of which is interrupted soon, and counts the thread's own time since then.
    private func play(seed: UInt64, count: Int) throws {
        var numbers = SeededNumbers(seed: seed)
        let (vm, call) = try made()
        let interrupt = vm.interrupt
        let ended = DispatchSemaphore(value: 0), isGone = DispatchSemaphore(value: 0)
        let clock = ThreadClock()
        // The clock when a call was first interrupted: on a busy machine that may be late.
        let interrupted = Mutex<Duration?>(nil)
        Thread.detachNewThread {
            while ended.wait(timeout: .now()) == .timedOut {
                interrupted.withLock { first in
                    let now = clock.now
                    if interrupt.stop() { first = first ?? now }
                }
                sched_yield()
            }
            isGone.signal()
        }
        var late: [(picks: [Value], time: Duration)] = []
        for _ in 0..<count {
            let picks = (0..<5).map { _ in Value.int(Int.random(in: 0..<1 << 20, using: &numbers)) }
            interrupted.withLock { $0 = nil }
            _ = try? vm.call(call, .value(.list(.init(picks))), returning: .value)
            let end = clock.now
            guard let start = interrupted.withLock({ $0 }) else { continue }
            if end - start >= .milliseconds(150) * slowness { late.append((picks, end - start)) }
        }
        ended.signal()
        isGone.wait()
        for (picks, time) in late {
            let name = try vm.call(call, .value(.list(.init(picks + [1]))), returning: .value)
            Issue.record("SEED=\(seed): \(time) for \(name.value ?? .null) of \(picks)")
        }
    }

    @Test(arguments: SeededNumbers.seeds(1...2))
    func aCallComesBackWhenItIsInterrupted(seed: UInt64) throws {
        try play(seed: seed, count: 200)
    }

    @Test func aNewCallDoesSoToo() throws {
        try play(seed: SeededNumbers.printedSeed(), count: 200)
    }
}
