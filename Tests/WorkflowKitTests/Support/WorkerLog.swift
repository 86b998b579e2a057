import PlainValue
import Synchronization
import WorkerKit
import Workflow
import WorkflowKit

/// Actions, errors and events of workers, one per line, for tests that wait for a line.
final class WorkerLog: Sendable {
    private struct State {
        var lines: [String] = []
        var waiters: [(line: String, latch: Latch)] = []
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock(\.lines) }

    func add(_ event: FlowEvent) {
        guard let line = Self.line(event) else { return }
        let ready = state.withLock { state in
            state.lines.append(line)
            defer { state.waiters.removeAll { $0.line == line } }
            return state.waiters.filter { $0.line == line }
        }
        for waiter in ready { waiter.latch.open() }
    }

    func wait(for line: String) async {
        let latch = Latch()
        let isThere = state.withLock { state in
            if state.lines.contains(line) { return true }
            state.waiters.append((line, latch))
            return false
        }
        if !isThere { await latch.waitUntilOpen() }
    }

    func clear() { state.withLock { $0.lines = [] } }

    private static func line(_ event: FlowEvent) -> String? {
        switch event.kind {
        case .worker(let phase, let worker, let key, let node):
            let name = NodePath(node.components + [.init(name: worker, key: key)]).description
            return switch phase {
            case .output(let output): "\(name) gave \(output.json)"
            case .failed(let error): "\(name) failed: \(error)"
            default: "\(name) \(phase.name)"
            }
        case .action(let action, _, let source):
            return source == "client" ? nil : "\(source) sent \(action.json)"
        case .error(let error): return "error: \(error)"
        case .dropped(let node, _, let reason): return "dropped at \(node): \(reason)"
        case .log(let level, let message, _): return "\(level): \(message)"
        default: return nil
        }
    }
}
