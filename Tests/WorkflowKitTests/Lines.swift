import Synchronization

/// The lines of a recording as they are written.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }

    var text: String { lines.withLock { $0.joined(separator: "\n") + "\n" } }
}
