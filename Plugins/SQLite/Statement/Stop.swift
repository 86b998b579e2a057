import Synchronization

/// Tells the statements of a run to stop.
final class Stop: Sendable {
    private let flag = Atomic(false)

    init() {}

    /// Whether the run was cancelled.
    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }

    /// - Throws: `CancellationError` if the run was cancelled.
    func check() throws { if isSet { throw CancellationError() } }
}
