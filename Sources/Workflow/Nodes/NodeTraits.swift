/// What the runtime has found out about one workflow type: how its inputs and states compare.
///
/// Looking up a conformance at run time is slow, so it is done once a tree and type.
@usableFromInline
final class NodeTraits<W: Workflow> {
    @usableFromInline let inputs: Comparison<W>
    @usableFromInline let state: Comparison<W.State>

    @inlinable
    init() {
        inputs = Comparison()
        state = Comparison()
    }
}
