struct EnvelopeQueue {
    private var envelopes = ContiguousArray<Envelope?>()
    /// The number of envelopes taken out of the array, whose places are free.
    private var head = 0

    var count: Int { envelopes.count - head }
    var isEmpty: Bool { head == envelopes.count }

    mutating func append(_ envelope: Envelope) { envelopes.append(envelope) }

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
            } else if head >= 64, head * 2 >= envelopes.count {
                // A queue that is never empty must not keep the places of all that were in it. Each
                // move frees at least as many places as it moves envelopes.
                envelopes.removeSubrange(..<head)
                head = 0
            }
            assert(head == 0 || head < envelopes.count)
        }
        return envelopes[head].take()
    }

    var capacity: Int { envelopes.capacity }
}
