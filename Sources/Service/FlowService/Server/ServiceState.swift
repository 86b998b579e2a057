import Synchronization

/// The state of the service: serving or draining.
final class ServiceState: Sendable {
    private let draining = Atomic(false)

    /// True if the service is ending: running requests are finished, and clients are sent
    /// elsewhere.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func drain() { draining.store(true, ordering: .relaxed) }
}
