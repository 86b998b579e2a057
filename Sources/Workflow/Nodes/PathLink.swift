/// The path of a node for what outlives it, sharing what lies above it with its siblings.
final class PathLink {
    let component: NodePath.Component
    private(set) var parent: PathLink?

    init(_ component: NodePath.Component, parent: PathLink?) {
        self.component = component
        self.parent = parent
    }

    /// Lets go of the links above one by one, as there may be more of them than the stack has room for.
    deinit {
        var next = parent.take()
        while next != nil, isKnownUniquelyReferenced(&next) { next = next?.parent.take() }
    }

    var path: NodePath { NodePath(component, below: parent) }
}

extension NodePath {
    /// The path of what stands below that of a link.
    init(_ last: Component, below parent: PathLink?) {
        var components = [last]
        var link = parent
        while let current = link {
            components.append(current.component)
            link = current.parent
        }
        self.init(components.reversed())
    }
}
