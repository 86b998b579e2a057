/// The way to send values, most often actions, to one node of a running tree.
///
/// A sink may be used from anywhere. From the isolation that owns the host, a value is applied before
/// ``send(_:isolation:)`` returns; from elsewhere it is queued in order of arrival; while an action is applied,
/// a pass renders or an observer runs, it is queued until that is complete. Sinks of the same node and the same
/// type of action are equal in every pass. A value that comes after its node has ended, or after a render that did not
/// make the sink again, is dropped and reported.
public struct Sink<Value>: Sendable {
    private enum Base: Sendable {
        case target(SinkTarget<Value>)
        case closure(SinkClosure<Value>)
    }

    private let base: Base

    @usableFromInline
    init(target: SinkTarget<Value>) { base = .target(target) }

    /// A sink that hands each value to `onValue`, on the thread that sends it.
    public init(_ onValue: @escaping @Sendable (sending Value) -> Void) {
        base = .closure(
            SinkClosure { value, _ in
                onValue(value)
                return .applied
            })
    }

    /// Sends `value`.
    ///
    /// - Parameter isolation: The isolation of the caller; leave it to its default.
    /// - Returns: What became of the value, for callers that care.
    @discardableResult
    public func send(
        _ value: sending Value, isolation: isolated (any Actor)? = #isolation
    ) -> SendOutcome {
        switch base {
        case .target(let target): target.send(value, from: isolation)
        case .closure(let closure): closure.body(value, isolation)
        }
    }

    /// A sink for another type of value, each turned by `transform` into one for this sink.
    ///
    /// Two sinks made by `contraMap` are equal only if one is a copy of the other.
    public func contraMap<New>(
        _ transform: @escaping @Sendable (sending New) -> sending Value
    ) -> Sink<New> {
        let base = base
        return Sink<New>(
            closure: SinkClosure { value, isolation in
                switch base {
                case .target(let target): target.send(transform(value), from: isolation)
                case .closure(let closure): closure.body(transform(value), isolation)
                }
            })
    }

    private init(closure: SinkClosure<Value>) { base = .closure(closure) }
}

extension Sink: Equatable {
    /// Whether both lead to the same node for the same type of action.
    public static func == (a: Sink, b: Sink) -> Bool {
        switch (a.base, b.base) {
        case (.target(let a), .target(let b)): a === b
        case (.closure(let a), .closure(let b)): a === b
        default: false
        }
    }
}

/// What became of a value that was sent.
public enum SendOutcome: Sendable {
    /// It was applied, and the pass that it caused is complete.
    case applied
    /// It waits in the host's queue.
    case queued
    /// Its cascade failed and was rolled back, or the pass it caused failed; the failure's phase tells which.
    case failed(WorkflowFailure)
    /// There is nothing left that it could be applied to.
    case dropped(DropReason)
}

/// Why a value that was sent could not be applied.
public enum DropReason: Sendable, Hashable {
    /// The node that the sink belongs to is not in the tree any more.
    case nodeEnded
    /// The node's last render did not make the sink again, so that what it shows has no use for it; see
    /// ``HostConfiguration/appliesUndeclared``.
    case notDeclared
    /// The host was shut down or released.
    case hostShutDown
    /// It is an output of a worker that was stopped meanwhile; only observers are told.
    case workerStopped
}

/// The body of a sink that is not bound to a node; a class so that copies of the sink are equal.
private final class SinkClosure<Value>: Sendable {
    let body: @Sendable (sending Value, (any Actor)?) -> SendOutcome

    init(_ body: @escaping @Sendable (sending Value, (any Actor)?) -> SendOutcome) {
        self.body = body
    }
}
