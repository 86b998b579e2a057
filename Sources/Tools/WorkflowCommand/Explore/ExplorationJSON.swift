import FlowExploring
import PlainValue
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

struct ExplorationJSON {
    private let seen: FlowExploration

    init(_ seen: FlowExploration) { self.seen = seen }

    var text: String {
        var record: Value.Record = [
            "v": 1, "type": "exploration", "flow": .string(seen.flow),
            "states": .int(seen.states.count), "steps": .int(seen.transitions.count),
            "complete": .bool(seen.limit == nil),
            "findings": .list(of: seen.findings.map { .record(self.record($0)) }),
            "never_taken": refusals(seen.refusals),
            "reached": .list(
                of: seen.reached.map { expression, steps in
                    ["reachable": .string(expression), "steps": records(steps)]
                }),
            "never_there": .list(of: seen.unmatchedSinks.map { .string($0.description) }),
            "beyond": .int(seen.states.count { $0.isBeyond }), "walks": .int(seen.walks),
            "idle_workers": .list(of: seen.idleWorkers.map { .string($0) }),
            "missing_workers": .list(of: seen.missingWorkers.map { .string($0.name) }),
        ]
        if let limit = seen.limit {
            record["limit"] =
                switch limit {
                case .states: "max_states"
                case .depth: "max_depth"
                case .time: "max_seconds"
                case .memory: "max_megabytes"
                }
        }
        return Value.record(record).json + "\n"
    }

    private func record(_ finding: FlowExploration.Finding) -> Value.Record {
        var record: Value.Record = ["steps": records(finding.steps)]
        switch finding.kind {
        case .error(let error):
            record["kind"] = "error"
            record["error"] = .record(error.record)
        case .deadEnd(let refused):
            record["kind"] = "dead_end"
            record["refused"] = refusals(refused)
        case .broken(let expression):
            record["kind"] = "never"
            record["never"] = .string(expression)
        case .missed(let expression, let again):
            record["kind"] = "eventually"
            record["eventually"] = .string(expression)
            if let again { record["again_from"] = .int(again + 1) }
        case .unreachable(let expression):
            record["kind"] = "reachable"
            record["reachable"] = .string(expression)
        }
        return record
    }

    private func refusals(_ refusals: [FlowExploration.Refusal]) -> Value {
        .list(of: refusals.map { ["action": $0.action, "message": .string($0.message)] })
    }

    private func records(_ steps: [ExploredStep]) -> Value {
        .list(of: steps.map { .record(record($0)) })
    }

    /// A step with everything needed to send it again.
    private func record(_ step: ExploredStep) -> Value.Record {
        var record: Value.Record = ["title": .string(step.title)]
        if let sink = step.sink { record["sink"] = .string(sink.description) }
        for input in step.inputs {
            switch input {
            case .action(let action, let node):
                record["action"] = action
                record["node"] = .string(node.description)
            case .props(let props): record["props"] = props
            case .worker(let news):
                record["worker"] = .string(news.worker)
                record["node"] = .string(news.node.description)
                if !news.key.isEmpty { record["key"] = .string(news.key) }
                switch news.event {
                case .output(let output): record["output"] = output
                case .failed(let error): record["error"] = error.value
                case .started, .finished, .cancelled, .abandoned:
                    record[news.event.name] = true
                }
            }
        }
        return record
    }
}
