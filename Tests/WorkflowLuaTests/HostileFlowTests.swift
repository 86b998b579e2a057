import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

/// A chunk that a host must survive; its first line has the expected outcome.
struct HostileFlow: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let expected: [String]

    var testDescription: String { name }

    /// Files numbered from 160 on are flow files; the others are function bodies.
    var isFlow: Bool { name >= "160" }

    static let all: [HostileFlow] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let folders = ["Hostile", "../LuaVMTests/Hostile"].map { tests.appending(path: $0) }
        return folders.flatMap { folder -> [HostileFlow] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.sorted().compactMap { name in
                guard
                    let source = try? String(
                        contentsOf: folder.appending(path: name), encoding: .utf8),
                    source.hasPrefix("-- expect "), let colon = source.firstIndex(of: ":")
                else { return nil }
                let words = source[..<colon].dropFirst("-- expect ".count)
                    .split(separator: " or ").map(String.init)
                return HostileFlow(name: name, source: source, expected: words)
            }
        }
    }()
}

@Suite(.serialized) struct HostileFlowTests {
    private let timeLimit = Duration.milliseconds(20) * slowness

    private func maySpin(_ chunk: HostileFlow?) -> Bool {
        chunk?.expected.contains { $0.hasPrefix("cpu-limit") } ?? false
    }

    private func options(for chunk: HostileFlow? = nil, largeCount: Int = 256) -> LuaFlow.Options {
        var options = LuaFlow.Options(checksRenders: true)
        options.limits.timeLimit = maySpin(chunk) ? timeLimit : .unreached
        options.limits.memoryLimit = 32 << 20
        options.limits.largeCount = largeCount
        return options
    }

    private func outcome(_ error: FlowError) -> String {
        switch error.code {
        case .timeLimit, .instructionLimit: "cpu-limit"
        case .memoryLimit: "memory-limit"
        case .notPlain: "convert-error"
        default: "error"
        }
    }

    /// True if `outcome` is expected. An error counts as a refusal too.
    private func isMet(_ outcome: String, _ chunk: HostileFlow) -> Bool {
        chunk.expected.contains { $0.hasPrefix(outcome) }
            || (outcome == "error" && chunk.expected.contains("denied"))
    }

    /// True if a chunk may end without an error and with `value`.
    private func mayEnd(_ chunk: HostileFlow, with value: Value) -> Bool {
        if let text = value.string, text.hasPrefix("LEAK") { return false }
        // It asks for what does not exist, or table functions see the true length and have no work.
        let isHarmless = ["023", "025"].contains { chunk.name.hasPrefix($0) }
        return chunk.expected.contains("ok") || value == "denied" || isHarmless
    }

    /// True if `body` ends soon after its limit by the thread's clock: others may use the machine.
    private func isAtHandInTime(
        after chunk: HostileFlow, _ body: () throws -> Void
    ) throws -> Bool {
        try threadTime(body) < (maySpin(chunk) ? .seconds(3) : .seconds(20)) * slowness
    }

    private func ordinaryFlowPlays() throws {
        let host = try FlowHost(
            """
            return {
                name = "ordinary", state = { n = 0 },
                apply = { add = function(state) state.n = state.n + 1 end },
                render = function(state) return { n = state.n } end,
            }
            """, options: options())
        try host.send("add")
        #expect(host.rendering == ["n": 1])
    }

    @Test func theCorpusIsThere() {
        #expect(HostileFlow.all.count > 100)
        #expect(HostileFlow.all.filter(\.isFlow).count == 13)
    }

    @Test(arguments: HostileFlow.all.filter { !$0.isFlow }, [256, 0])
    func aHostileApplyIsRolledBackAndTheHostGoesOn(chunk: HostileFlow, largeCount: Int) throws {
        let options = options(for: chunk, largeCount: largeCount)
        let host: FlowHost
        do {
            let source = """
                local function body(...)\(chunk.source)
                end
                return {
                    name = "hostile", state = { n = 1 },
                    apply = {
                        go = function(state, action) state.n = 2 return body() end,
                        add = function(state) state.n = state.n + 1 end,
                    },
                    render = function(state) return { n = state.n } end,
                }
                """
            host = try unhurried { try FlowHost(source, options: options) }
        } catch let error as FlowError {
            // A chunk that does not compile is an error before anything runs.
            #expect(isMet(outcome(error), chunk), "\(error)")
            return
        }
        var result = SendOutcome.queued
        #expect(try isAtHandInTime(after: chunk) { result = try host.send("go") })
        if case .failed = result {
            let error = try #require(host.errors.first)
            #expect(isMet(outcome(error), chunk) || mayFail(chunk), "\(error)")
            #expect(host.rendering == ["n": 1])
            #expect(host.outputs.isEmpty)
        } else {
            #expect(mayEnd(chunk, with: host.outputs.first ?? .null), "\(host.outputs)")
            #expect(host.errors.isEmpty)
        }
        // The same host still works, and so does another one.
        let n = host.rendering["n"]?.int ?? 0
        _ = try unhurried { try host.send("add") }
        #expect(host.rendering["n"] == .int(n + 1))
        try ordinaryFlowPlays()
    }

    /// Chunks that break a stricter rule here than the one in their first line, and so end in an
    /// error: globals and libraries cannot be written, and plain values have no metatables.
    private func mayFail(_ chunk: HostileFlow) -> Bool {
        ["019", "116", "118", "154", "155"].contains { chunk.name.hasPrefix($0) }
    }

    @Test(arguments: HostileFlow.all.filter { !$0.isFlow }, [256, 0])
    func aHostileRenderFailsAndTheHostGoesOn(chunk: HostileFlow, largeCount: Int) throws {
        let options = options(for: chunk, largeCount: largeCount)
        let host: FlowHost
        do {
            let source = """
                local function body(...)\(chunk.source)
                end
                return {
                    name = "hostile", state = { bad = false },
                    apply = { set = function(state, action) state.bad = action.bad end },
                    render = function(state) if state.bad then return body() end return "good" end,
                }
                """
            host = try unhurried { try FlowHost(source, options: options) }
        } catch let error as FlowError {
            #expect(isMet(outcome(error), chunk), "\(error)")
            return
        }
        #expect(try isAtHandInTime(after: chunk) { try host.send(["type": "set", "bad": true]) })
        if let error = host.errors.first {
            #expect(isMet(outcome(error), chunk) || mayFail(chunk), "\(error)")
            #expect(host.rendering == "good")
        } else {
            #expect(mayEnd(chunk, with: host.rendering), "\(host.rendering)")
        }
        _ = try unhurried { try host.send(["type": "set", "bad": false]) }
        #expect(host.rendering == "good")
        try ordinaryFlowPlays()
    }

    @Test(arguments: HostileFlow.all.filter(\.isFlow))
    func aHostileFlowFileIsAnErrorOrPlays(chunk: HostileFlow) throws {
        var failures: [FlowError] = []
        do throws(FlowError) {
            let flow = try LuaFlow(
                source: chunk.source, name: chunk.name, options: options(for: chunk))
            let host = WorkflowHost(
                workflow: flow.workflow(),
                options: HostOptions(onReport: { report in
                    if case .failure(let failure) = report, let error = failure.error as? FlowError
                    {
                        failures.append(error)
                    }
                }))
            _ = try flow.send("go", to: NodePath([.init(name: flow.name)]), in: host)
        } catch { failures.append(error) }
        let outcomes = failures.isEmpty ? ["ok"] : failures.map(outcome)
        #expect(outcomes.contains { chunk.expected.contains($0) }, "\(outcomes) \(failures)")
        try ordinaryFlowPlays()
    }
}
