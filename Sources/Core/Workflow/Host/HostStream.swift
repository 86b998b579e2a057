/// An asynchronous sequence of the renderings or the outputs of a host.
///
/// ```swift
/// let host = WorkflowHost(workflow: Profile(id: 7))
/// for await rendering in host.renderings where rendering != "loading" {
///     print(rendering)  // name 7
///     break
/// }
/// ```
///
/// Made by ``WorkflowHost/renderings`` and ``WorkflowHost/outputs``. Each stream has its own
/// buffer, so any number of them can be read at once. A stream ends when its host shuts down or its
/// reader is cancelled.
///
/// - Important: Any isolation can read it if its elements are `Sendable`, else only the host's.
public struct HostStream<Element>: AsyncSequence {
    private let stream: AsyncStream<Handover<Element>>

    init(_ stream: AsyncStream<Handover<Element>>) { self.stream = stream }

    /// Reads a stream.
    ///
    /// - Important: Two iterators of one stream share its elements.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: AsyncStream<Handover<Element>>.Iterator

        init(_ base: AsyncStream<Handover<Element>>.Iterator) { self.base = base }

        /// The next element, or `nil` once the host has shut down or the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Element? {
            await base.next(isolation: actor)?.value
        }

        /// The next element, or `nil` once the host has shut down or the task is cancelled.
        ///
        /// ```swift
        /// var iterator = host.renderings.makeAsyncIterator()
        /// let current = await iterator.next()
        /// ```
        public mutating func next() async -> Element? { await next(isolation: nil) }
    }

    /// Starts reading.
    ///
    /// ```swift
    /// var renderings = host.renderings.makeAsyncIterator()
    /// ```
    public func makeAsyncIterator() -> Iterator { Iterator(stream.makeAsyncIterator()) }
}

extension HostStream: Sendable where Element: Sendable {}

/// A value on its way through a stream. It is `@unchecked Sendable` because a ``HostStream`` of
/// values that are not `Sendable` is not `Sendable` itself: both its ends are on one isolation.
struct Handover<Value>: @unchecked Sendable {
    let value: Value
}

struct HostStreams<Element> {
    private var ends: [AsyncStream<Handover<Element>>.Continuation] = []
    private let policy: AsyncStream<Handover<Element>>.Continuation.BufferingPolicy
    private var isFinished = false

    init(policy: AsyncStream<Handover<Element>>.Continuation.BufferingPolicy) {
        self.policy = policy
    }

    var isEmpty: Bool { ends.isEmpty }

    mutating func make(first: Element?) -> HostStream<Element> {
        let (stream, end) = AsyncStream<Handover<Element>>.makeStream(bufferingPolicy: policy)
        if let first { end.yield(Handover(value: first)) }
        if isFinished { end.finish() } else { ends.append(end) }
        return HostStream(stream)
    }

    mutating func yield(_ element: Element) {
        guard !ends.isEmpty else { return }
        ends.removeAll { end in
            if case .terminated = end.yield(Handover(value: element)) { true } else { false }
        }
    }

    mutating func finish() {
        isFinished = true
        for end in ends { end.finish() }
        ends = []
    }
}
