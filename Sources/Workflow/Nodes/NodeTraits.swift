/// What the runtime has found out about one workflow type: how its inputs and states compare, and how a node of it
/// lets go of its values.
///
/// Looking up a conformance at run time is slow, so it is done once a tree and type.
@usableFromInline
final class NodeTraits<W: Workflow> {
    @usableFromInline let inputs: Comparison<W>
    @usableFromInline let state: Comparison<W.State>
    /// Lets go of a node's values; made where the types are known, so that it is specialised code.
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
