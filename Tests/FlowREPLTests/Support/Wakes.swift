import Synchronization

final class Wakes: Sendable {
    private let calls = Atomic(0)

    var count: Int { calls.load(ordering: .sequentiallyConsistent) }
    func add() { calls.add(1, ordering: .sequentiallyConsistent) }
}
