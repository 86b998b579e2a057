/// The fields that a flow's functions read of their actions, by the names of the functions.
///
/// A function of an action is one that a table holds by a name; its second parameter is the action.
package struct ActionFields {
    package private(set) var fields: [String: [String]] = [:]

    /// Reads a source text; of one that is not understood nothing is known.
    package init(source bytes: [UInt8]) {
        guard let source = try? LuaSource(bytes) else { return }
        for case let (name, .function(function)) in source.namedValues
        where function.parameters.count > 1 {
            let action = function.parameters[1]
            for use in source.fields where use.base.variable === action && use.name != "type" {
                if fields[name]?.contains(use.name) != true {
                    fields[name, default: []].append(use.name)
                }
            }
        }
    }
}

extension LuaSource {
    /// The values that names in tables are given, in constructors and by assignments.
    fileprivate var namedValues: [(name: String, value: LuaExpression)] {
        tables.flatMap(\.fields).compactMap { field in
            if case .name(let name) = field.key { (name, field.value) } else { nil }
        }
            + fields.compactMap { use in
                if case .written(let value) = use.kind { (use.name, value) } else { nil }
            }
    }
}
