import Synchronization

/// Tells all sessions of a pool that no worker may start, because another host may soon run them.
final class Suspension: Sendable {
    private let state = Atomic(false)

    var isOn: Bool {
        get { state.load(ordering: .acquiring) }
        set { state.store(newValue, ordering: .releasing) }
    }
}
