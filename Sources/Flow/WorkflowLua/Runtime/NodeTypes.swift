import LuaVM
import PlainValue

/// The identity of a type of nodes: one object in a runtime, for as long as the type is used.
final class NodeTypeName: Sendable {}

/// The code of a definition, which is the same for all tables that one place in a file makes.
struct DefinitionCode: Hashable {
    let location: FlowError.Location?
    let actionTypes: [String]
    let version: Int
}

/// The types of nodes by name, while definitions or workers of them exist.
///
/// Definitions of one name have one type if they have the same code, such as those that a function
/// makes again in each render. Definitions that the flow holds have labels that distinguish them,
/// even if one function has made them.
struct NodeTypes {
    private struct Entry {
        weak var type: NodeTypeName?
        var code: DefinitionCode?
        var label: String?
        /// The number of loads of the files at its last request.
        var load: Int

        func isOf(_ code: DefinitionCode?, _ label: String?) -> Bool {
            if let label, let own = self.label { return own == label }
            return self.code == code && (label == nil) == (self.label == nil)
        }
    }

    private var entries: [Name: [Entry]] = [:]
    /// The number of names at which unused ones are removed.
    private var room = 64
    private var load = 0

    static let rootLabel = ""

    var count: Int { entries.count }

    /// Called when files are loaded again: new definitions continue the types of the old ones.
    mutating func filesWereLoaded() { load += 1 }

    func types(named name: Name) -> [NodeTypeName] { entries[name]?.compactMap(\.type) ?? [] }

    /// The type for definitions of a name and code, which a caller retains while it compares it.
    ///
    /// - Parameters:
    ///   - label: The label that distinguishes the definition from others of its name.
    ///   - isOther: Returns true if the flow holds another definition of the name with a label.
    mutating func type(
        named name: Name, code: DefinitionCode? = nil, label: String? = nil,
        isOther: (String) -> Bool = { _ in false }
    ) -> NodeTypeName {
        // A type with the same code or label, of this load or an earlier one. Else the only type of
        // earlier files that is left: its definition was changed.
        var known = entries[name]?.filter { $0.type != nil } ?? []
        let index =
            known.firstIndex {
                $0.load == load && $0.isOf(code, label)
                    && (label != Self.rootLabel || $0.code == code)
            }
            ?? known.firstIndex { $0.load != load && $0.isOf(code, label) }
            ?? successor(of: known, label, isOther)
        if let index, let type = known[index].type {
            known[index] = Entry(type: type, code: code, label: label, load: load)
            entries[name] = known
            return type
        }
        let made = NodeTypeName()
        if entries.count >= room {
            entries = entries.filter { $0.value.contains { $0.type != nil } }
            room = max(64, 2 * entries.count)
        }
        entries[name] = known + [Entry(type: made, code: code, label: label, load: load)]
        return made
    }

    /// The only type of the previous files, if it is not that of another definition.
    private func successor(
        of known: [Entry], _ label: String?, _ isOther: (String) -> Bool
    ) -> Int? {
        let old = known.indices.filter {
            known[$0].load != load && known[$0].label != Self.rootLabel
        }
        guard old.count == 1, label != Self.rootLabel else { return nil }
        if let label, let own = known[old[0]].label, own != label, isOther(own) { return nil }
        return old[0]
    }

    /// Labels the type of a definition that was requested without a label.
    mutating func label(_ type: NodeTypeName, named name: Name, _ label: String) {
        guard let index = entries[name]?.firstIndex(where: { $0.type === type }) else { return }
        entries[name]?[index].label = label
    }
}
