import Synchronization

/// The lifetime of a side effect.
///
/// ```swift
/// context.runSideEffect(key: "life") { lifetime in
///     journal.note("began")
///     lifetime.onEnded { journal.note("ended") }
/// }
/// ```
///
/// It begins after the first pass that declares the effect, and ends after one that does not.
///
/// Thread-safe; may be stored.
public final class Lifetime: Sendable {
    private struct Contents {
        var hasEnded = false
        /// The handlers to call at the end, in order; there is nearly always one.
        var first: (@Sendable () -> Void)?
        var rest: [@Sendable () -> Void] = []
    }

    private let contents = Mutex(Contents())

    init() {}

    /// True if the lifetime has ended.
    public var hasEnded: Bool { contents.withLock { $0.hasEnded } }

    /// Calls `handler` once when the lifetime ends, on the host's isolation, or now if it has.
    ///
    /// ```swift
    /// lifetime.onEnded { timer.cancel() }
    /// ```
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
            assert(!contents.hasEnded)
            defer { contents = Contents(hasEnded: true) }
            return contents
        }
        // Outside the lock, because a handler may ask for `hasEnded` or add another handler.
        ended.first?()
        for handler in ended.rest { handler() }
    }
}
