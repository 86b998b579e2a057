/// The second render of a node in strict mode: it changes nothing and notes differences.
final class Replay {
    private let node: AnyNode
    private var seen: Set<ObjectIdentifier> = []
    private var effectKeys: [AnyHashable] = []
    private(set) var differences: [String] = []

    init(of node: AnyNode) { self.node = node }

    /// The rendering of the child as of the first render; `nil` if that did not have it.
    func rendering<Child: Workflow>(of child: Child, key: String) -> Child.Rendering? {
        let (swiftType, type) = (ObjectIdentifier(Child.self), child.nodeType)
        // Of two children with one key the second has a key of its own, and a report.
        let found = node.children.first { $0.matches(swiftType, type, key) }
        guard let childNode = found as? Node<Child> else {
            differences.append("renders \(name(child.nodeName, key)) the second time only")
            return nil
        }
        seen.insert(ObjectIdentifier(childNode))
        if childNode.traits.inputs.isKnown, !childNode.isSame(workflow: child) {
            differences.append(
                "gives \(name(child.nodeName, key)) inputs \(childNode.workflow), then \(child)")
        }
        return childNode.rendering
    }

    func recordEffect(_ key: AnyHashable) { effectKeys.append(key) }

    func recordFailure(_ error: any Error) { differences.append("fails the second time: \(error)") }

    func finish<Rendering>(first: Rendering, second: Rendering) {
        for child in node.children where !seen.contains(ObjectIdentifier(child)) {
            differences.append("renders \(name(child.name, child.key)) the first time only")
        }
        let keys = node.effects?.keys ?? []
        for key in keys where !effectKeys.contains(key) {
            differences.append("runs the side effect \(key) the first time only")
        }
        for key in effectKeys where !keys.contains(key) {
            differences.append("runs the side effect \(key) the second time only")
        }
        differences += RenderingDifference.between(first, second).map { "shows \($0)" }
    }

    private func name(_ name: String, _ key: String) -> String {
        NodePath([NodePath.Component(name: name, key: key)]).description
    }
}
