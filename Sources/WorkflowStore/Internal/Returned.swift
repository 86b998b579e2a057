import Synchronization

/// What a body has returned that is called by somebody else.
final class Returned<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    /// The value; `nil` until there is one.
    var value: Value? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
