import Synchronization

/// Whether the service takes new work.
final class ServiceState: Sendable {
    private let draining = Atomic(false)

    /// Whether the service ends: what is under way is finished, and clients are sent elsewhere.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func drain() { draining.store(true, ordering: .relaxed) }
}
