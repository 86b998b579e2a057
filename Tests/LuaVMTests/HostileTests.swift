import CLuaBridge
@testable import LuaVM
import PlainValue
import TestSupport
import Testing

@Suite(.serialized) struct HostileTests {
    /// Chunks with a stricter outcome than the one in their first line.
    private static let stricter: [String: String] = [
        "019-gc-field-added-later.lua": "assignment to undefined global 'KEEP2'; declare it local",
        "116-globals-clobbered.lua": "assignment to global 'setmetatable', which is read-only",
        "118-library-poison.lua": "string is read-only",
        "154-value-metatable-evil.lua": "result: a table with a metatable is not a plain value",
        "155-value-proxy.lua": "result: a table with a metatable is not a plain value",
    ]

    /// Chunks that cannot attack anything here, so they simply end.
    private static let harmless: [String: String] = [
        "023-table-insert-fake-len.lua": "table functions see the true length",
        "025-table-sort-c-compare.lua": "table functions see the true length",
    ]

    private static let timeLimit = Duration.milliseconds(20) * slowness

    private static func maySpin(_ chunk: HostileChunk?) -> Bool {
        chunk?.outcomes.contains(.cpuLimit) ?? true
    }

    private func makeVM(for chunk: HostileChunk? = nil) throws -> LuaVM {
        var options = LuaVM.Options()
        options.timeLimit = Self.maySpin(chunk) ? Self.timeLimit : .unreached
        options.memoryLimit = 32 << 20
        return try LuaVM(options)
    }

    private func outcome(of chunk: HostileChunk, in vm: LuaVM) -> (HostileChunk.Outcome, String) {
        do throws(LuaError) {
            let value = try vm.run(chunk.source, chunkName: chunk.name)
            if case .string(let text) = value, text.hasPrefix("LEAK") { return (.error, text) }
            return (value == "denied" ? .denied : .ok, "\(value)")
        } catch {
            switch error.code {
            case .timeLimit, .instructionLimit: return (.cpuLimit, error.description)
            case .memoryLimit: return (.memoryLimit, error.description)
            case .conversion: return (.convertError, error.description)
            default: return (.error, error.description)
            }
        }
    }

    @Test func theCorpusIsThere() {
        #expect(HostileChunk.all.count > 90)
        #expect(HostileChunk.all.allSatisfy { !$0.outcomes.isEmpty })
    }

    @Test(arguments: HostileChunk.all)
    func aChunkComesToWhatItsFirstLineSays(chunk: HostileChunk) throws {
        let vm = try makeVM(for: chunk)
        var result = (HostileChunk.Outcome.ok, "")
        // The thread's own time, so that other work of the machine does not count.
        let time = threadTime { result = self.outcome(of: chunk, in: vm) }
        #expect(time < (Self.maySpin(chunk) ? .seconds(3) : .seconds(20)) * slowness)
        let (outcome, text) = result
        if let message = Self.stricter[chunk.name] {
            #expect(text.hasSuffix(message))
        } else if Self.harmless[chunk.name] != nil {
            #expect(outcome == .ok, "\(text)")
        } else {
            var expected = chunk.outcomes
            // An error is a refusal too.
            if expected.contains(.denied) { expected.append(.error) }
            // The sandbox has no `load` to try it with; the next test offers one.
            if chunk.needsLoad { expected = [.denied] }
            #expect(expected.contains(outcome), "\(text)")
        }
        #expect(!text.hasPrefix("LEAK"))
        // The VM is usable again, and never used more than twice its limit.
        #expect(try unhurried { try vm.run("return {1, {a = 'b'}}") } == [1, ["a": "b"]])
        #expect(lb_memory_peak(vm.bridge) <= 64 << 20)
    }

    /// Chunks that need `load`, with one that accepts only text, like the host.
    @Test(arguments: HostileChunk.all.filter(\.needsLoad))
    func aChunkThatLoadsTextIsHeldToTheSameLimits(chunk: HostileChunk) throws {
        let vm = try makeVM(for: chunk)
        try vm.define("load") { call throws(LuaError) in
            guard let text = call.string(at: 1) else { throw LuaError(.host, "not a text") }
            return .reference(try call.vm.load(text, chunkName: "loaded"))
        }
        let (outcome, text) = outcome(of: chunk, in: vm)
        #expect(outcome == .error || chunk.outcomes.contains(outcome), "\(text)")
        #expect(!text.hasPrefix("LEAK"))
        #expect(try unhurried { try vm.run("return 1") } == 1)
    }

    @Test func inOneVMOneChunkDoesNotHarmTheNext() throws {
        let vm = try makeVM()
        for chunk in HostileChunk.all {
            _ = outcome(of: chunk, in: vm)
            let value = try unhurried { try vm.run("return {1, {a = 'b'}}") }
            #expect(value == [1, ["a": "b"]], "\(chunk.name)")
        }
        vm.collectGarbage()
        #expect(vm.memoryInUse < 1 << 20)
    }
}
