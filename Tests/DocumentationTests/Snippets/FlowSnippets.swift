import FlowTesting
import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

/// The code of the pages of WorkflowLua, WorkflowKit and FlowTesting, line for line.
@Suite struct FlowSnippets {
    private let counter = """
        return {
            state = { count = 0 },
            apply = { add = function(state, action) state.count = state.count + action.by end },
            render = function(state) return { count = state.count } end,
        }
        """

    @Test func aFlowIsTheRootOfAHost() throws {
        let flow = try LuaFlow(source: counter, name: "counter.lua")
        let host = WorkflowHost(workflow: flow.workflow(props: ["title": "Today"]))
        _ = try flow.send(["type": "add", "by": 2], to: "counter", in: host)
        print(host.rendering.value["count"] ?? .null)  // 2
        #expect(host.rendering.value == ["count": 2])
    }

    @Test func aFlowHasItsModules() throws {
        let flow = try LuaFlow(
            source: """
                local words = require "words"
                return { render = function() return { title = words.title } end }
                """,
            name: "titled.lua", modules: FlowModules(["words": "return { title = 'Hello' }"]))
        let host = WorkflowHost(workflow: flow.workflow())
        #expect(host.rendering.value == ["title": "Hello"])
    }

    @Test func aFlowRendersANativeNode() throws {
        struct Upper: Workflow, Decodable {
            var text: String
            func render(state: Void, context: RenderContext<Upper>) -> String { text.uppercased() }
        }

        var options = LuaFlow.Options()
        options.limits.timeLimit = .seconds(60)
        options.nativeWorkflows.register("upper", props: Upper.self) { $0 }
        let flow = try LuaFlow(
            source: """
                return {
                    render = function(_, context)
                        return { title = context:render("upper", { text = "hello" }) }
                    end,
                }
                """, options: options)
        let host = WorkflowHost(workflow: flow.workflow())
        print(host.rendering.value)  // { title = "HELLO" }
        #expect(host.rendering.value == ["title": "HELLO"])
    }

    @Test func aMistakeIsAnErrorWithItsPlace() {
        do {
            _ = try LuaFlow(source: "return { state = 1, rendr = 2 }", name: "broken.lua")
        } catch {
            print(error.code, error.message, error.help ?? "")
        }
        let error = #expect(throws: FlowError.self) {
            try LuaFlow(source: "return { state = 1, rendr = 2 }", name: "broken.lua")
        }
        #expect(error?.location?.file == "broken.lua")
    }

    @Test func aSessionPlaysAFlow() async throws {
        let session = try await FlowSession.open(.text(counter))
        try await session.send(["type": "add", "by": 2])
        try await session.send(["type": "add", "by": 3])
        print(await session.rendering)  // { count = 5 }

        try await session.undo()
        print(await session.rendering, await session.step)  // { count = 2 } 1
        #expect(await session.step == 1)
        await session.close()
    }

    @Test func whatHappensIsFollowed() async throws {
        let session = try await FlowSession.open(.text(counter)) { event in
            switch event.kind {
            case .rendering(let rendering, _, _): print("rendering", rendering)
            case .output(let output): print("output", output)
            case .error(let error): print("error", error.message)
            default: break
            }
        }
        try await session.send(["type": "add", "by": 2])
        #expect(await session.rendering == ["count": 2])
        await session.close()
    }

    @Test func failuresOfTestsAreShown() throws {
        let text = """
            local Flow = { render = function() return { count = 1 } end }
            it("counts", function()
                workflow.test(Flow):expect_rendering { count = 2 }
            end)
            """
        let results = try FlowTestFile(.text(text)).run()
        for result in results {
            guard let failure = result.failure else { continue }
            print(result.fullName, failure.error.message)
            for mismatch in failure.mismatches { print(mismatch.lines.joined(separator: "\n")) }
        }
        #expect(results.map(\.fullName) == ["counts"])
        #expect(results.first?.failure?.mismatches.map(\.path.description) == ["count"])
    }

    @Test func onlySomeTestsAreRun() throws {
        let file = Repository.root + "Examples/todo/todo_test.lua"
        var options = FlowTestOptions()
        options.filter = "ticks"
        options.limits.timeLimit = .seconds(60)
        let results = try FlowTestFile(.file(file), options: options).run { line in
            print(line.message)
        } onResult: { result in
            print(result.fullName, result.duration)
        }
        #expect(results.allSatisfy { $0.fullName.contains("ticks") && $0.failure == nil })
        #expect(!results.isEmpty)
    }
}
