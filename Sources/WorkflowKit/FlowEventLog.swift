/// Numbers what happens in a session and hands it on, in order.
///
/// Shared by a session and by whoever adds events of its own to the same order, such as a protocol's replies.
final class FlowEventLog {
    private let onEvent: (FlowEvent) -> Void
    private let now: () -> Int
    private(set) var sequence = 0

    init(now: @escaping () -> Int, onEvent: @escaping (FlowEvent) -> Void) {
        self.now = now
        self.onEvent = onEvent
    }

    func add(_ kind: FlowEvent.Kind) {
        sequence += 1
        onEvent(FlowEvent(sequence: sequence, milliseconds: now(), kind: kind))
    }
}
