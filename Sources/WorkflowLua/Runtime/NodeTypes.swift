import PlainValue

/// Stands for a node type's name: one object a name and runtime, as long as anything is of that type.
final class NodeTypeName: Sendable {}

/// The types of nodes by their names, while there are definitions or workers of them.
struct NodeTypes {
    private struct Entry {
        weak var type: NodeTypeName?
    }

    private var entries: [Name: Entry] = [:]
    /// The number of entries at which those of types that are gone are forgotten.
    private var room = 64

    /// How many names there are, with those of types that are gone and not forgotten yet.
    var count: Int { entries.count }

    /// The type of this name; whoever compares it must keep it.
    mutating func type(named name: Name) -> NodeTypeName {
        if let known = entries[name]?.type { return known }
        let made = NodeTypeName()
        if entries.count >= room {
            entries = entries.filter { $0.value.type != nil }
            room = max(64, 2 * entries.count)
        }
        entries[name] = Entry(type: made)
        return made
    }
}
