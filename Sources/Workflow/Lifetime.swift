import Synchronization

/// How long a side effect lasts: from the end of the pass that first declared it to the end of the first pass that
/// does not, or the end of its node.
///
/// May be kept and asked from anywhere.
public final class Lifetime: Sendable {
    private struct Contents {
        var hasEnded = false
        /// What is called at the end, in order; nearly always there is one.
        var first: (@Sendable () -> Void)?
        var rest: [@Sendable () -> Void] = []
    }

    private let contents = Mutex(Contents())

    init() {}

    /// Whether it is over.
    public var hasEnded: Bool { contents.withLock { $0.hasEnded } }

    /// Calls `handler` once when it ends, on the isolation of the host, or at once if it is over.
    public func onEnded(_ handler: @escaping @Sendable () -> Void) {
        let isOver = contents.withLock { contents in
            if contents.hasEnded { return true }
            if contents.first == nil {
                contents.first = handler
            } else {
                contents.rest.append(handler)
            }
            return false
        }
        if isOver { handler() }
    }

    func end() {
        let ended = contents.withLock { contents in
            defer { contents = Contents(hasEnded: true) }
            return contents
        }
        ended.first?()
        for handler in ended.rest { handler() }
    }
}
