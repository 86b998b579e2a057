/// The facts about one workflow type that the runtime looks up: how its inputs and states compare, and how a node of
/// it releases its values.
///
/// Looking up a conformance at run time is slow, so each tree does it once for each type.
@usableFromInline
final class NodeTraits<W: Workflow> {
    @usableFromInline let inputs: Comparison<W>
    @usableFromInline let state: Comparison<W.State>
    /// Releases a node's values; made where the types are known, so that it is specialised code.
    @usableFromInline let release: (Node<W>) -> Void

    @inlinable
    init() {
        inputs = Comparison()
        state = Comparison()
        release = { node in
            node.rendering = nil
            node.route = nil
        }
    }
}
