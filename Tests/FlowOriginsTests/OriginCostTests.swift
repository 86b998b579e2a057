import FlowOrigins
import PlainValue
import Synchronization
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

/// The number of plays of a flow that explain a value of a long list.
@Suite struct OriginCostTests {
    private final class Counter: Sendable { let count = Atomic(0) }

    /// Something that a flow renders, and what is done each time.
    private struct Bell: Workflow {
        struct Props: Decodable {}
        struct State: Codable {}
        let counter: Counter

        func makeInitialState() -> State { State() }
        func render(state: State, context: RenderContext<Bell>) -> Int {
            counter.count.add(1, ordering: .relaxed)
            return 0
        }
    }

    private static let flow = """
        local N = 400
        local Sum = { name = "sum" }
        function Sum.state()
            local items = {}
            for i = 1, N do items[i] = { value = i } end
            return { items = items, by = 1 }
        end
        Sum.apply = {
            all = function(state)
                for _, item in ipairs(state.items) do
                    item.value = item.value + state.by
                end
            end,
        }
        function Sum.render(state, context)
            local total = 0
            for _, item in ipairs(state.items) do
                total = total + item.value
            end
            return { total = total, bell = context:render("bell", {}) }
        end
        return Sum
        """

    /// One play serves all causes: each changed element came from itself and the same other value.
    @Test func theStepIsPlayedForAllCausesTogether() async throws {
        let counter = Counter()
        let options = FlowOptions(
            limits: .unhurried,
            registerNativeWorkflows: { natives in
                natives.register("bell", props: Bell.Props.self) { _ in Bell(counter: counter) }
            })
        let session = try await FlowSession.open(
            .text(Self.flow, name: "sum.lua"), options: options)
        try await session.send("all")
        func renders(through depth: Int) async throws -> (origin: ValueOrigin, count: Int) {
            let before = counter.count.load(ordering: .relaxed)
            let total = OriginSubject.rendering(try ValuePath(parsing: "total"))
            let origin = try await session.origin(of: total, at: nil, through: depth)
            return (origin, counter.count.load(ordering: .relaxed) - before)
        }
        let plain = try await renders(through: 0)
        let causes = plain.origin.findings.filter { $0.kind == .cause }
        #expect(causes.count == 64)
        #expect(
            plain.origin.findings.filter { $0.kind == .write }.allSatisfy {
                $0.subject == "sum.lua:11"
            })
        let deep = try await renders(through: 1)
        let reads = Set(deep.origin.findings.filter { $0.kind == .read }.map(\.subject))
        #expect(reads.contains("state.by of sum"))
        #expect(reads.contains("state.items[64].value of sum"))
        #expect(reads.count == 65)
        // Each of the 64 would need a hundred plays of its own.
        #expect(deep.count < plain.count + 1600, "\(plain.count), \(deep.count)")
        await session.close()
    }
}
