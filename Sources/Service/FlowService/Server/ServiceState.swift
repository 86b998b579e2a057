import Synchronization

/// The state of the service: serving or draining.
final class ServiceState: Sendable {
    private let draining = Atomic(false)

    /// True if the service is ending: it finishes requests, and sends clients elsewhere.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func drain() { draining.store(true, ordering: .relaxed) }
}
