import PlainValue
import WorkerKit
import Workflow
import WorkflowPlugins

/// Runs one worker like a session.
actor Stage {
    private var host: WorkflowHost<Runner>?

    func start(_ worker: GrantedWorker, into outputs: Outputs) {
        var configuration = HostConfiguration()
        configuration.workerExecutor = WorkerThreads.shared
        host = WorkflowHost(
            workflow: Runner(worker: worker, outputs: outputs), configuration: configuration)
    }

    func shutDown() {
        host?.shutDown()
        host = nil
    }
}

/// Declares a worker and collects its outputs.
private struct Runner: Workflow {
    typealias Rendering = Void
    typealias Output = Never

    let worker: GrantedWorker
    let outputs: Outputs

    struct Keep: WorkflowAction, Sendable {
        typealias WorkflowType = Runner
        let value: Value

        func apply(toState state: inout Int, context: ApplyContext<Runner>) -> Never? {
            context[workflowValue: \.outputs].add(value)
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Runner>) {
        worker.asResult().running(in: context, key: "worker") { result in
            guard case .success(let output) = result else { return Keep(value: .null) }
            return Keep(value: output.value)
        }
    }
}
