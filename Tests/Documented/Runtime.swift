// What the examples of Workflow and WorkflowTesting take for granted.
import Workflow
import WorkflowTesting

/// An example in the render of a search.
protocol InSearch {}

extension InSearch {
    typealias Action = Search.Action
    static var context: RenderContext<Search> { given() }
    static var state: Search.State { given() }
}

enum AnyWorkflowConvertibleFamiliarExamples: InSearch {}
enum AnyWorkflowConvertibleRenderedExamples: InSearch {}
enum AnyWorkflowConvertibleRunningExamples: InSearch {}
extension LifetimeExamples {
    static var lifetime: Lifetime { given() }
    static var timer: Task<Void, Never> { given() }
}
enum MappedWorkflowsExamples: InSearch {}
extension RenderContextExamples {
    struct TooLong: Error {}
    static var context: RenderContext<Search> { given() }
    static var state: Search.State { given() }
}
enum RenderContextEventSinksExamples: InSearch {}
enum RenderContextSideEffectsExamples: InSearch { static func save(_ text: String) async throws {} }
enum RenderContextSinksExamples: InSearch {}
enum RenderContextWorkersExamples: InSearch {}
enum SequenceWorkerExamples: InSearch { static var notes: AsyncStream<String> { given() } }
enum StateMutationSinkExamples { static var changes: StateMutationSink<Search> { given() } }

enum ApplyContextExamples { static var context: ApplyContext<Scoreboard> { given() } }
enum NodeDescriptionExamples { static var host: WorkflowHost<Scoreboard> { given() } }
enum SinkExamples { static var sink: Sink<String> { given() } }
enum TreeSnapshotExamples { static var host: WorkflowHost<Draft> { given() } }
enum WorkerEventExamples { static var event: WorkerEvent<[String], any Error> { given() } }
enum WorkerSinkExamples { static var sink: WorkerSink<String> { given() } }
enum WorkflowHostExamples {
    static var saved: TreeSnapshot { given() }
    static var sink: Sink<String> { given() }
}
enum WorkflowHostPathsExamples { static var host: WorkflowHost<Scoreboard> { given() } }
enum WorkflowHostWorkersExamples { static var host: WorkflowHost<Search> { given() } }

extension ActionTesterExamples { static var tester: ActionTester<Search.Action> { given() } }
extension RenderTesterExamples {
    static var red: Counter.Screen { given() }
    static var tester: RenderTester<Search> { given() }
}
enum RenderTesterResultExamples { static var result: RenderTesterResult<Search> { given() } }
enum VirtualClockExamples { static var clock: VirtualClock { given() } }
enum VirtualExecutorExamples { static var executor: VirtualExecutor { given() } }
enum WorkflowTesterExamples {
    static var button: WorkflowTester<AddButton> { given() }
    static var counter: WorkflowTester<Counter> { given() }
    static var stopwatch: WorkflowTester<Stopwatch> { given() }
    static var tester: WorkflowTester<Search> { given() }
}
