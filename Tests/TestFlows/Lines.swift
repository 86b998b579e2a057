import Synchronization

/// The lines of a recording as they are written.
package final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    package func add(_ line: String) { lines.withLock { $0.append(line) } }

    package var all: [String] { lines.withLock { $0 } }

    package var text: String { lines.withLock { $0.joined(separator: "\n") + "\n" } }
}
