import PlainValue
import Testing
import Workflow
import WorkflowLua
import WorkflowTesting

/// Stands in for a script.
nonisolated private struct StandIn: Workflow {
    typealias Output = Value
    var props: Value

    func render(state: Void, context: RenderContext<StandIn>) -> Value { .null }
}

/// The board without a session.
@Suite nonisolated struct BoardWorkflowTests {
    @Test func aNoticeOfAWidgetIsKeptAndTold() {
        let board = Board(props: .init(user: "Ada", widgets: ["count"])) { _, props in
            StandIn(props: props).asAnyWorkflow()
        }
        board.renderTester()
            .expectWorkflow(
                type: StandIn.self, key: "count", producingRendering: ["count": 3],
                producingOutput: ["notice": "three"]
            ) { #expect($0.props == ["user": "Ada"]) }
            .render { #expect($0.widgets == ["count": ["count": 3]]) }
            .assert(action: Board.Notice(text: "three"))
            .assert(state: .init(notices: ["three"]))
            .assert(output: .init(notice: "three"))
    }

    @Test func clearingForgetsTheNotices() {
        Board.Act.tester(withState: .init(notices: ["three"]))
            .send(action: .init(type: .clear))
            .assert(state: .init())
            .assertNoOutput()
    }

    @Test func theBoardRunsAScript() throws {
        let script = """
            return {
                apply = { ring = function() return { notice = "rung" } end },
                render = function(_, context) return { ring = context:sink("ring") } end,
            }
            """
        let flow = try LuaFlow(source: script, name: "bell.lua")
        let board = Board(props: .init(user: "Ada", widgets: ["bell"])) { _, props in
            flow.workflow(props: props).mapRendering(\.value).asAnyWorkflow()
        }
        let tester = WorkflowTester(workflow: board)
        _ = try flow.send(["type": "ring"], to: "Board/bell:bell", in: tester.host)
        tester.assert(rendering: \.notices, ["rung"])
        tester.assert(output: .init(notice: "rung"))
        tester.finish()
    }
}
