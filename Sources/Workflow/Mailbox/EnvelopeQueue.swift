/// Envelopes, oldest first.
struct EnvelopeQueue {
    private var envelopes = ContiguousArray<Envelope?>()
    /// How many of them have been taken out.
    private var head = 0

    var count: Int { envelopes.count - head }
    var isEmpty: Bool { head == envelopes.count }

    mutating func append(_ envelope: Envelope) { envelopes.append(envelope) }

    /// Appends all of `others`, and leaves that empty.
    mutating func append(_ others: inout ContiguousArray<Envelope>) {
        for envelope in others { envelopes.append(envelope) }
        others.removeAll(keepingCapacity: others.count < 1024)
    }

    mutating func popFirst() -> Envelope? {
        guard head < envelopes.count else { return nil }
        defer {
            head += 1
            if head == envelopes.count {
                envelopes.removeAll(keepingCapacity: head < 1024)
                head = 0
            }
        }
        return envelopes[head].take()
    }
}
