public import PlainValue

/// What a worker of a plugin tells the node that declared it.
///
/// Let go of it once it is applied: it holds a place among the outputs that may be on their way.
public struct WorkerDelivery: Sendable {
    /// What is told.
    public enum Content: Sendable, Hashable {
        /// The worker gave an output.
        case output(Value)
        /// The worker came to its end by itself; told only where it was asked for.
        case finished
    }

    /// What is told.
    public let content: Content
    private let place: OutputWindow.Place?

    init(_ content: Content, place: OutputWindow.Place?) {
        self.content = content
        self.place = place
    }
}
