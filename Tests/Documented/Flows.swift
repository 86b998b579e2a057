import FlowExploring
import PlainValue
import Workflow
import WorkflowLua

// What the examples of flows and of native workflows take for granted.

protocol FlowExamples {}
extension FlowExamples {
    static var context: RenderContext<Board> { given() }
    static var explorer: FlowExplorer { given() }
    static var flow: LuaFlow {
        get { given() }
        set {}
    }
    static var host: WorkflowHost<LuaWorkflow> { given() }
    static var interrupt: FlowInterrupt { given() }
    static var natives: NativeWorkflows {
        get { given() }
        set {}
    }
    static var scripts: FlowScripts { given() }
    static var texts: [String: String] { given() }
}
enum FlowExplorerExamples: FlowExamples {}
enum FlowInterruptExamples: FlowExamples {}
enum FlowModulesExamples: FlowExamples {}
enum FlowScriptsExamples: FlowExamples {}
enum LuaFlowExamples: FlowExamples {}
enum LuaFlowRecoveryExamples: FlowExamples {}
enum LuaFlowWorkersExamples: FlowExamples {}
enum NativeWorkflowsExamples: FlowExamples {}
enum RenderContextValueSinkExamples: FlowExamples {}

struct Dial: Workflow, Decodable {
    struct Turn: WorkflowAction, Decodable {
        func apply(toState state: inout Void, context: ApplyContext<Dial>) -> Never? { given() }
    }
    func render(state: Void, context: RenderContext<Dial>) -> Int { given() }
}
struct Board: Workflow {
    struct Move: WorkflowAction, Decodable {
        init(_ output: Value) {}
        func apply(toState state: inout Void, context: ApplyContext<Board>) -> Never? { given() }
    }
    var rows: [LuaWorkflow]
    func render(state: Void, context: RenderContext<Board>) -> String { given() }
}
