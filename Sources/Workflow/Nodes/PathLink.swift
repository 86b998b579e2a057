/// The path of a node that has ended, sharing what lies above it with its siblings.
final class PathLink {
    let component: NodePath.Component
    let parent: PathLink?

    init(_ component: NodePath.Component, parent: PathLink?) {
        self.component = component
        self.parent = parent
    }

    var path: NodePath {
        var components: [NodePath.Component] = []
        var link: PathLink? = self
        while let current = link {
            components.append(current.component)
            link = current.parent
        }
        return NodePath(components.reversed())
    }
}
