import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A sink in a rendering.
struct ExploredSink {
    /// Where it stands.
    let path: ValuePath
    let node: NodePath
    let action: Value

    /// The step that sends it with additional fields.
    func step(with fields: Value.Record = [:]) -> ExploredStep {
        var fields = fields
        fields["type"] = nil
        guard !fields.isEmpty, case .record(var record) = action else {
            return ExploredStep(inputs: [.action(action, node: node)], sink: path)
        }
        for (name, value) in fields { record[name] = value }
        return ExploredStep(
            inputs: [.action(.record(record), node: node)], sink: path, fields: fields)
    }
}

extension Value {
    /// The sinks of a rendering that can be sent, in order.
    var exploredSinks: [ExploredSink] {
        sinks.compactMap { path, sink in
            guard let node = sink["$sink"]?["node"]?.string.flatMap(NodePath.init),
                let action = sink["$sink"]?["action"]
            else { return nil }
            return ExploredSink(path: path, node: node, action: action)
        }
    }
}

extension WorkerRun {
    /// Its possible steps: the behaviors of the options, or those of the clock.
    func behaviors(_ options: FlowExplorationOptions) -> [ExploredStep] {
        let known = options.workers.filter { $0.worker == name }
        guard known.isEmpty else { return known.map { step($0) } }
        guard let (output, _, _) = clockOutput(1) else { return [] }
        return [step(.output(worker: name, output))]
    }

    private func step(_ behavior: FlowExplorationOptions.WorkerBehavior) -> ExploredStep {
        func news(_ event: WorkerNews.Event) -> FlowInput.Kind {
            .worker(self.news(event))
        }
        switch behavior {
        case .failure(_, let error): return ExploredStep(inputs: [news(.failed(error))])
        case .output(_, let output):
            let ends = name == "clock.every" ? [] : [news(.finished)]
            return ExploredStep(inputs: [news(.output(output))] + ends)
        }
    }
}
