/// Sends values, most often actions, to one node of a running tree.
///
/// ```swift
/// func render(state: Void, context: RenderContext<AddButton>) -> Sink<Int> {
///     context.makeOutputSink()
/// }
/// ```
///
/// A sink is thread-safe. A value sent from the isolation that owns the host is applied before
/// ``send(_:isolation:)`` returns. A value sent from elsewhere is queued in order of arrival. A
/// value sent while an action is applied, a pass renders or an observer runs waits until that is
/// done. A value after the end of its node, or after a render that did not make the sink, is
/// dropped and reported.
///
/// Sinks of ``RenderContext/makeSink(of:)`` for the same node and the same type of action are equal
/// in every pass. A sink with a closure is equal only to its copies.
public struct Sink<Value>: Sendable {
    private enum Base: Sendable {
        case target(SinkTarget<Value>)
        case closure(SinkClosure<Value>)
    }

    private let base: Base

    @usableFromInline
    init(target: SinkTarget<Value>) { base = .target(target) }

    /// Makes a sink that passes each value to `onValue`, on the sending thread.
    ///
    /// ```swift
    /// let sink = Sink<String> { text in print(text) }
    /// ```
    public init(_ onValue: @escaping @Sendable (sending Value) -> Void) {
        base = .closure(
            SinkClosure { value, _ in
                onValue(value)
                return .applied
            })
    }

    /// Sends `value`.
    ///
    /// ```swift
    /// if case .dropped(let reason) = sink.send("ab") { print(reason) }
    /// ```
    ///
    /// - Parameter isolation: The isolation of the caller; leave it to its default.
    @discardableResult
    public func send(
        _ value: sending Value, isolation: isolated (any Actor)? = #isolation
    ) -> SendOutcome {
        switch base {
        case .target(let target): target.send(value, from: isolation)
        case .closure(let closure): closure.body(value, isolation)
        }
    }

    /// Makes a sink that maps each value with `transform` and sends the result to this sink.
    ///
    /// ```swift
    /// let numbers: Sink<Int> = sink.contraMap { "\($0)" }
    /// ```
    ///
    /// - Note: Two sinks made by `contraMap` are equal only if one is a copy of the other.
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
    /// True if both lead to the same node with the same type of action, or are copies of one sink
    /// with a closure.
    public static func == (a: Sink, b: Sink) -> Bool {
        switch (a.base, b.base) {
        case (.target(let a), .target(let b)): a === b
        case (.closure(let a), .closure(let b)): a === b
        default: false
        }
    }
}

/// The outcome of a sent value.
public enum SendOutcome: Sendable {
    /// The value was applied, and the pass that it caused is complete.
    case applied
    /// The value waits in the host's queue.
    case queued
    /// The cascade failed and was rolled back, or the pass failed; the failure's phase tells which.
    case failed(WorkflowFailure)
    /// The value could not be applied.
    case dropped(DropReason)
}

/// The reason why a sent value could not be applied.
public enum DropReason: Sendable, Hashable {
    /// The node of the sink is no longer in the tree.
    case nodeEnded
    /// The node's last render did not make the sink again; see
    /// ``HostOptions/appliesUndeclared``.
    case notDeclared
    /// The host was shut down or released.
    case hostShutDown
    /// The value is an output of a worker that was stopped meanwhile; only observers are told.
    case workerStopped
}

/// The body of a sink that is not bound to a node; a class so that copies of the sink are equal.
private final class SinkClosure<Value>: Sendable {
    let body: @Sendable (sending Value, (any Actor)?) -> SendOutcome

    init(_ body: @escaping @Sendable (sending Value, (any Actor)?) -> SendOutcome) {
        self.body = body
    }
}
