import PlainValue
import WorkerKit
import WorkflowLua

/// A sink in a rendering.
struct ExploredSink {
    /// Where it stands.
    let path: ValuePath
    let node: String
    let action: Value

    /// Sends it with these fields besides its own.
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
    /// The sinks in a rendering, in its order.
    var sinks: [ExploredSink] {
        var found: [ExploredSink] = []
        func visit(_ value: Value, _ path: ValuePath) {
            switch value {
            case .record(let record):
                if let sink = record["$sink"], let node = sink["node"]?.string,
                    let action = sink["action"]
                {
                    found.append(ExploredSink(path: path, node: node, action: action))
                    return
                }
                for (key, value) in record { visit(value, path.appending(.key(key))) }
            case .list(let list):
                for (index, value) in list.enumerated() {
                    visit(value, path.appending(.index(index + 1)))
                }
            default: break
            }
        }
        visit(self, ValuePath())
        return found
    }
}

extension TestedWorker {
    /// What it may do: what the options say, or what the clock does.
    func behaviors(_ options: FlowExplorationOptions) -> [ExploredStep] {
        let known = options.workers.filter { $0.worker == name }
        guard known.isEmpty else { return known.map { step($0) } }
        guard let timer = VirtualTimer(self, at: .zero) else { return [] }
        let output: Value =
            timer.repeats ? ["tick": 1] : ["seconds": .double(timer.seconds)]
        return [step(.output(worker: name, output))]
    }

    private func step(_ behavior: FlowExplorationOptions.WorkerBehavior) -> ExploredStep {
        func news(_ content: WorkerNews.Content) -> FlowInput.Kind {
            .worker(WorkerNews(node: node, worker: name, key: key, content: content))
        }
        switch behavior {
        case .failure(_, let error): return ExploredStep(inputs: [news(.failed(error))])
        case .output(_, let output):
            let ends = name == "clock.every" ? [] : [news(.finished)]
            return ExploredStep(inputs: [news(.output(output))] + ends)
        }
    }
}
