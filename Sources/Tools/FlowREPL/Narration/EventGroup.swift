import FlowPrinting
import PlainValue
import Terminal
import WorkerKit
import Workflow
import WorkflowLua

/// The events that one input caused.
struct EventGroup {
    struct Work: Hashable {
        let worker: String
        let key: String
        let node: NodePath
    }

    enum Start {
        /// A typed line.
        case client
        case work(Work, WorkerNews.Event)
        case other
    }

    var start = Start.other
    /// The action of another client that caused the group.
    var other: String?
    let before: Value?
    var after: Value?
    var phases: [(Work, WorkerNews.Event)] = []
    var outputs: [Value] = []
    var errors: [FlowError] = []
    var logs: [(String, FlowError.Location?)] = []
    var dropped: String?
    /// The number of inputs in a folded group.
    var count = 1

    init(_ start: Start = .other, before: Value?) {
        self.start = start
        self.before = before
    }

    /// True if the input gets a line even without effects.
    var hasOwnLine: Bool {
        switch start {
        case .work(_, .output), .work(_, .failed): true
        default: other != nil
        }
    }

    /// The line that names the cause.
    func head(columns: Int) -> String? {
        guard case .work(let work, let phase) = start else {
            return other.map { printable("· \($0)").cut(to: columns) }
        }
        guard count > 1, case .output(let value) = phase else {
            return work.line(phase, columns: columns)
        }
        let head = work.head("←") + "  \(count) outputs, the last "
        return head + value.line(width: max(columns - displayWidth(head), 8))
    }

    /// Folds runs of outputs of one worker, so that a flood stays readable.
    static func folded(_ groups: [EventGroup]) -> [EventGroup] {
        /// The most outputs in a row that are shown one by one.
        let most = 3
        var folded: [EventGroup] = []
        var index = 0
        while index < groups.count {
            var end = index + 1
            if let work = groups[index].outputOf {
                while end < groups.count, groups[end].outputOf == work { end += 1 }
            }
            if end - index > most {
                folded.append(groups[index + 1..<end].reduce(groups[index]) { $0.followed(by: $1) })
            } else {
                folded += groups[index..<end]
            }
            index = end
        }
        return folded
    }

    func isOutput(of work: Work) -> Bool { outputOf == work }

    private var outputOf: Work? {
        if case .work(let work, .output) = start { work } else { nil }
    }

    private func followed(by next: EventGroup) -> EventGroup {
        assert(outputOf != nil && outputOf == next.outputOf)
        var sum = self
        sum.start = next.start
        sum.after = next.after ?? after
        sum.phases += next.phases
        sum.outputs += next.outputs
        sum.errors += next.errors
        sum.logs += next.logs
        sum.dropped = next.dropped ?? dropped
        sum.count += next.count
        return sum
    }
}

extension EventGroup.Work {
    var title: String { key.isEmpty ? worker : "\(worker):\(key)" }

    fileprivate func head(_ arrow: String) -> String {
        // The last component is enough.
        let node = node.components.last?.description ?? ""
        return printable("· \(node) \(arrow) \(title)")
    }

    func line(_ phase: WorkerNews.Event, columns: Int) -> String {
        switch phase {
        case .output(let value):
            let head = head("←") + "  "
            return head + value.line(width: max(columns - displayWidth(head), 8))
        case .failed(let error): return head("←") + "  failed: " + printable(error.message)
        case .started: return head("→")
        case .finished, .cancelled, .abandoned:
            return head("→") + "  " + phase.name
        }
    }
}
