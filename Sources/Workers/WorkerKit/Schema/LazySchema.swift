import Synchronization

/// A schema that is derived on first use, since a program has many workers and runs few of them.
final class LazySchema: Sendable {
    private let derive: @Sendable () -> ValueSchema
    private let known = Mutex(ValueSchema?.none)

    init(_ derive: @escaping @Sendable () -> ValueSchema) { self.derive = derive }

    var schema: ValueSchema {
        if let schema = known.withLock({ $0 }) { return schema }
        // Not under the lock, because this is the worker's own code.
        let derived = derive()
        known.withLock { $0 = derived }
        return derived
    }
}
