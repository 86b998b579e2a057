import Synchronization

/// Remembers that nobody reads the output any more, so that a run ends quietly.
final class ReaderWatch: Sendable {
    private let gone = Atomic(false)

    var isGone: Bool { gone.load(ordering: .relaxed) }

    func noteGone() { gone.store(true, ordering: .relaxed) }
}
