import Workflow

protocol RenderExpectation {
    var description: String { get }
    var place: TestLocation { get }

    func serve<Child: Workflow>(
        _ child: Child, key: String, emit: @escaping (Child.Output) -> SendOutcome
    ) -> ServedChild<Child.Rendering>?
}

struct ServedChild<Rendering> {
    let rendering: Rendering
    let emit: (() -> Void)?
}

struct ExpectedWorkflow<Expected: Workflow>: RenderExpectation {
    let key: String
    let rendering: Expected.Rendering
    let output: Expected.Output?
    let assertions: (Expected) -> Void
    let place: TestLocation

    var description: String { "the child \(named("\(Expected.self)", key))" }

    func serve<Child: Workflow>(
        _ child: Child, key: String, emit: @escaping (Child.Output) -> SendOutcome
    ) -> ServedChild<Child.Rendering>? {
        guard key == self.key, let found = child as? Expected,
            let rendering = rendering as? Child.Rendering
        else { return nil }
        assertions(found)
        let output = output.flatMap { $0 as? Child.Output }
        return ServedChild(
            rendering: rendering, emit: output.map { output in { _ = emit(output) } })
    }
}

struct ExpectedWorker<Expected: EmittingWorker>: RenderExpectation {
    let worker: Expected
    let key: String
    let result: Result<Expected.Output, any Error>?
    let place: TestLocation

    var description: String { "the worker \(named("\(Expected.self)", key)), \(brief(worker))" }

    func serve<Child: Workflow>(
        _ child: Child, key: String, emit: @escaping (Child.Output) -> SendOutcome
    ) -> ServedChild<Child.Rendering>? {
        guard key == self.key, let found = child as? WorkerWorkflow<Expected>,
            found.worker.isEquivalent(to: worker), let rendering = () as? Child.Rendering
        else { return nil }
        let event: WorkerEvent<Expected.Output, any Error>? =
            switch result {
            case .success(let output)?: .output(output)
            case .failure(let error)?: .failed(error)
            case nil: nil
            }
        let output = event.flatMap { $0 as? Child.Output }
        return ServedChild(
            rendering: rendering, emit: output.map { output in { _ = emit(output) } })
    }
}

struct ExpectedSideEffect<W: Workflow> {
    let key: AnyHashable
    let send: ((WorkflowHost<W>) -> Void)?
    let place: TestLocation
}

func named(_ name: String, _ key: String) -> String { key.isEmpty ? name : "\(name):\(key)" }
