import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua

final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

extension Collected<FlowEvent> {
    var outputs: [Value] {
        all.compactMap { event in
            if case .output(let output) = event.kind { output } else { nil }
        }
    }

    var errors: [String] {
        all.compactMap { event in
            if case .error(let error) = event.kind { error.message } else { nil }
        }
    }

    var readyCount: Int {
        all.count { event in
            if case .ready = event.kind { true } else { false }
        }
    }
}
