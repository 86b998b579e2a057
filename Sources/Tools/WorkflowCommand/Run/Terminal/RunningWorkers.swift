import FlowPrinting
import Terminal
import Workflow
import WorkflowKit

/// The running workers, for a line that shows them.
struct RunningWorkers {
    private struct Work {
        let worker: String
        let key: String
        let node: NodePath
        let start: ContinuousClock.Instant
    }

    private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    /// In starting order.
    private var works: [Work] = []
    private var frame = 0

    var isEmpty: Bool { works.isEmpty }

    mutating func update(with event: FlowEvent, now: ContinuousClock.Instant = .now) {
        guard case .worker(let phase, let worker, let key, let node) = event.kind else { return }
        switch phase {
        case .started:
            works.append(Work(worker: worker, key: key, node: node, start: now))
        case .output: break
        case .finished, .failed, .cancelled, .abandoned:
            let index = works.firstIndex {
                $0.worker == worker && $0.key == key && $0.node == node
            }
            if let index { works.remove(at: index) }
        }
    }

    /// The next frame of the line, for the worker started last; empty if there is none.
    mutating func line(columns: Int, now: ContinuousClock.Instant = .now) -> String {
        guard let work = works.last else { return "" }
        frame = (frame + 1) % Self.frames.count
        let node = work.node.components.last?.description ?? ""
        let name = work.key.isEmpty ? work.worker : "\(work.worker):\(work.key)"
        let others = works.count > 1 ? "  and \(works.count - 1) more" : ""
        let end = "  \((now - work.start).text)\(others)"
        let start = printable("  \(Self.frames[frame]) \(node) → \(name)")
        return start.cut(to: max(columns - 1 - displayWidth(end), 10)) + end
    }
}
