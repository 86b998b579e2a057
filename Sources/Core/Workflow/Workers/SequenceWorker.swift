/// A worker that reads an asynchronous sequence, such as a stream of notifications; made by
/// `asWorker(id:)` of the sequence.
public struct SequenceWorker<Base: AsyncSequence & Sendable>: StreamingWorker
where Base.Element: Sendable {
    /// The elements of the sequence.
    public typealias Output = Base.Element

    private let base: Base
    private let id: any Hashable & Sendable

    /// Makes a worker that reads `base`; see `asWorker(id:)`.
    public init(_ base: Base, id: any Hashable & Sendable = true) {
        self.base = base
        self.id = id
    }

    /// True if the ids are equal; sequences cannot be compared.
    public func isEquivalent(to otherWorker: SequenceWorker) -> Bool {
        AnyHashable(id) == AnyHashable(otherWorker.id)
    }

    /// The sequence itself.
    public func run() -> Base { base }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// A worker that reads this sequence while it is declared. Its outputs are the elements.
    ///
    /// ```swift
    /// notes.asWorker(id: 1).mapOutput { Action.typed($0) }.running(in: context)
    /// ```
    ///
    /// - Parameter id: Identifies the sequence. While it is equal the reading continues; when it
    ///   changes the new one is read. By default all with one type and key are equivalent.
    public func asWorker(id: any Hashable & Sendable = true) -> SequenceWorker<Self> {
        SequenceWorker(self, id: id)
    }
}
