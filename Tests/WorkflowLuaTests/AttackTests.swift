import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

/// A flow that tries to escape; its first line has the expected result of the action `go`. Before
/// that it gets the action `arm`, if it has one, which must meet a limit.
struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    /// The words after `expect`: error codes, `refused` at load, or `n` and the rendering's `n`.
    let expected: String

    var testDescription: String { name }

    static let all: [Attack] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Attacks")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            guard
                let source = try? String(contentsOf: folder.appending(path: name), encoding: .utf8),
                source.hasPrefix("-- expect "), let end = source.range(of: ": ")
            else { return nil }
            let first = source[..<end.lowerBound].dropFirst("-- expect ".count)
            return Attack(name: name, source: source, expected: String(first))
        }
    }()

    var isArmed: Bool { source.contains("arm = function") }
    var mayMeetTheTimeLimit: Bool { isArmed || expected.split(separator: " ").contains("time") }
    var actions: [Value] { isArmed ? ["arm", "go"] : ["go"] }

    func expects(_ outcome: String) -> Bool {
        expected == outcome || expected.components(separatedBy: " or ").contains(outcome)
    }
}

@Suite(.serialized) struct AttackTests {
    #if os(Linux)
        private static let isolations = [LuaVM.Options.Isolation.none, .process]
    #else
        private static let isolations = [LuaVM.Options.Isolation.none]
    #endif

    private func options(
        for attack: Attack, isolation: LuaVM.Options.Isolation = .none
    ) -> LuaFlow.Options {
        var options = LuaFlow.Options()
        options.limits.isolation = isolation
        options.limits.timeLimit =
            attack.mayMeetTheTimeLimit ? .milliseconds(50) * slowness : .unreached
        if attack.isArmed, isolation == .process {
            // Load could reach the other process's limit of time in the second action too.
            options.limits.timeLimit = .unreached
            options.limits.instructionLimit = 20_000_000
        }
        return options
    }

    private func outcome(_ error: FlowError) -> String {
        switch error.code {
        // The host ends a process that does not come back soon after its time limit, which on a
        // busy machine need not be the fault of the script.
        case .timeLimit, .processEnded: "time"
        case .memoryLimit: "memory"
        case .instructionLimit: "instructions"
        case .logLimit: "print"
        default: "error"
        }
    }

    @Test func theAttacksAreThere() { #expect(Attack.all.count > 75) }

    /// The thread's own time, so that other work of the machine does not count.
    @Test(arguments: Attack.all, isolations) func anAttackComesToWhatItsFirstLineSays(
        attack: Attack, isolation: LuaVM.Options.Isolation
    ) throws {
        let options = options(for: attack, isolation: isolation)
        let host: FlowHost
        do {
            // The limit is for the action.
            host = try unhurried { try FlowHost(attack.source, options: options) }
        } catch let error as FlowError {
            #expect(attack.expected == "refused", "\(error)")
            return
        }
        if attack.isArmed {
            try host.send("arm")
            #expect(host.errors.map(outcome) != ["error"])
            #expect(host.errors.count == 1)
        }
        let before = host.errors.count
        var sent = SendOutcome.queued
        let time = try threadTime {
            // What a limit has ended must not need one to end again.
            sent = attack.isArmed ? try unhurried { try host.send("go") } : try host.send("go")
        }
        #expect(time < (attack.mayMeetTheTimeLimit ? .seconds(4) : .seconds(20)) * slowness)
        if case .failed = sent {
            let error = try #require(host.errors.last)
            #expect(attack.expects(outcome(error)), "\(error)")
            #expect(host.rendering == ["n": 0])
        } else {
            let n = host.rendering["n"]?.plainText ?? ""
            #expect(attack.expects("n \(n)") || attack.expects("ok"), "\(n)")
            #expect(host.errors.count == before)
        }
        let ordinary = try FlowHost("return { render = function() return 'fine' end }")
        #expect(ordinary.rendering == "fine")
    }

    /// The possible depth of calls depends neither on the action nor on the memory in use.
    @Test func everyCallSeesTheSameDepth() throws {
        let attack = try #require(Attack.all.first { $0.name.hasPrefix("052") })
        let host = try FlowHost(attack.source)
        var seen: Set<Value> = []
        for count in [0, 1, 5, 100, 10_000, 0] {
            let items = (0..<count).map { Value.string("item \($0)") }
            try host.send(["type": "go", "list": .list(Value.List(items))])
            seen.insert(host.rendering)
        }
        #expect(seen == [["n": "198:C stack overflow"]])
    }

    /// An interrupt ends an attack as soon as a limit does.
    @Test(arguments: Attack.all.filter(\.mayMeetTheTimeLimit))
    func anInterruptEndsAnAttack(attack: Attack) throws {
        var options = options(for: attack)
        options.limits.timeLimit = .unreached
        let interrupt = options.interrupt
        let host = try FlowHost(attack.source, options: options)
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            // Nothing can be stopped before the call, which may end between two looks.
            while ended.wait(timeout: .now()) == .timedOut {
                interrupt.stop()
                sched_yield()
            }
        }
        thread.start()
        for action in attack.actions {
            let time = try threadTime { _ = try host.send(action) }
            #expect(time < .seconds(5) * slowness)
        }
        ended.signal()
    }
}

extension Value {
    /// The value as text, if it is text or Lua would convert it.
    fileprivate var plainText: String {
        switch self {
        case .string(let text): text
        case .bool(let bool): "\(bool)"
        case .int(let int): "\(int)"
        default: "\(self)"
        }
    }
}
