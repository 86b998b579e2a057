/// The path of a node for objects that outlive it. Siblings share the part above them.
final class PathLink {
    let component: NodePath.Component
    private(set) var parent: PathLink?

    init(_ component: NodePath.Component, parent: PathLink?) {
        self.component = component
        self.parent = parent
    }

    /// Releases the links above one by one, as there may be more of them than fit on the stack.
    deinit {
        var next = parent.take()
        while next != nil, isKnownUniquelyReferenced(&next) { next = next?.parent.take() }
    }

    var path: NodePath {
        NodePath(sequence(first: self, next: \.parent).map(\.component).reversed())
    }
}
