/// The facts about one workflow type that the runtime looks up: how its inputs and states compare,
/// and how a node of it releases its values. Looking up a conformance at run time is slow, so each
/// tree does it once for each type.
@usableFromInline
final class NodeTraits<W: Workflow> {
    @usableFromInline let inputs: Comparison<W>
    @usableFromInline let state: Comparison<W.State>
    lazy var sizes = CollectionSize.all(of: W.State.self)
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

    #if DEBUG
        private var hasReported = false

        @usableFromInline
        func reportIncomparableInputs(of node: Node<W>) {
            // The root has no parent that could render for another reason.
            guard !inputs.isKnown, !hasReported, node.parent != nil else { return }
            hasReported = true
            // The types of this module handle what their inputs are made of.
            guard !_typeName(W.self, qualified: true).hasPrefix("Workflow.") else { return }
            node.tree.report(
                .inputsNotComparable(
                    node.path, type: typeName(of: W.self),
                    field: FieldComparison.incomparableField(of: W.self)))
        }
    #endif
}
