import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import Workflow

@testable import WorkflowLua

/// The limits of the host's caches for later calls.
@Suite struct KeptForLaterTests {
    private func host(
        _ render: String, apply: String = "{ go = function(state) state.n = state.n + 1 end }",
        memory: Int = 4 << 20, workers: any WorkerSource = NoWorkers()
    ) throws -> FlowHost {
        var options = LuaFlow.Options(workers: workers)
        options.limits.memoryLimit = memory
        return try FlowHost(
            """
            return {
                name = "flow", state = { n = 0 }, apply = \(apply),
                render = function(state, context) \(render) return { n = state.n } end,
            }
            """, options: options)
    }

    @Test func definitionsThatAreMadeInEachRenderAreForgotten() throws {
        let host = try host(
            """
            local text = ("%08d"):format(state.n):rep(10000)
            context:render({ name = "child", render = function() return #text end })
            """)
        for _ in 0..<200 { try host.send("go") }
        #expect(host.errors.first == nil)
        #expect(host.rendering == ["n": 200])
    }

    @Test func sinksThatAreNotAskedForAreForgotten() throws {
        let host = try host(
            "for i = 1, 100 do context:sink(('x'):rep(200) .. state.n * 100 + i) end",
            apply: "function(state) state.n = state.n + 1 end")
        for _ in 0..<200 { try host.send("go") }
        #expect(host.errors.first == nil)
        #expect(host.rendering == ["n": 200])
    }

    /// Each definition takes more than a sixteenth of the memory.
    @Test func aCallThatFindsNoMemoryLeavesSomeToTheNext() throws {
        let host = try host(
            """
            local text = ("%08d"):format(state.n):rep(80000)
            context:render({ name = "child", render = function() return #text end })
            """)
        var failures: [Int] = []
        for number in 0..<100 {
            let before = host.errors.count
            try host.send("go")
            if host.errors.count > before { failures.append(number) }
        }
        #expect(!failures.isEmpty)
        #expect(zip(failures, failures.dropFirst()).allSatisfy { $1 > $0 + 1 })
        #expect(Set(host.errors.map(\.code)) == [.memoryLimit])
    }

    private final class Asked: WorkerSource {
        let count = Mutex(0)

        func work(of name: String, input: Value) -> ScriptedWork {
            count.withLock { $0 += 1 }
            return { _ in }
        }
    }

    @Test func workIsKeptAsLongAsItIsDeclared() throws {
        let asked = Asked()
        let host = try host(
            "if state.n % 4 ~= 3 then context:run('web.get', {}, { key = 'k' }) end",
            workers: asked)
        for number in 1...3 {
            #expect(asked.count.withLock { $0 } == 1)
            try host.send("go")
            #expect(host.rendering == ["n": .int(number)])
        }
        try host.send("go")
        #expect(asked.count.withLock { $0 } == 2)
    }

    @Test func typesOfNodesAreKeptAsLongAsThereAreSome() {
        var types = NodeTypes()
        let kept = types.type(named: Name("kept"))
        var last: NodeTypeName?
        for number in 0..<10_000 { last = types.type(named: Name("\(number)")) }
        #expect(types.type(named: Name("kept")) === kept)
        #expect(types.type(named: Name("9999")) === last)
        #expect(types.count <= 65)
    }

    @Test func definitionsInUseAreKept() throws {
        let vm = try LuaVM()
        var known = KnownDefinitions()
        var used: [WorkflowDefinition] = []
        // Only the addresses matter; nothing is read from them.
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 1)
        defer { bytes.deallocate() }
        for number in 0..<1_000 {
            let table = try vm.makeRecord()
            let render = try vm.makeFunction { _ in .none }
            try vm.setField("render", of: table, to: .reference(render))
            let reader = DefinitionReader(vm: vm, table: table, defaultName: "made") { _, _ in
                DefinitionIdentity(nodeType: NodeTypeName())
            }
            let definition = try reader.read()
            if number < 10 { used.append(definition) }
            known.keep(definition, at: bytes + number)
        }
        let last = (980..<1_000).filter { known[bytes + $0] != nil }
        #expect(last.contains(999) && last.count < 20)
        known.forgetUnused()
        #expect((0..<10).allSatisfy { known[bytes + $0] === used[$0] })
        #expect((10..<1_000).allSatisfy { known[bytes + $0] == nil })
    }
}
