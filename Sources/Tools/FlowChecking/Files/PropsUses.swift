import LuaSyntax

/// The props that a definition reads, as far as the text shows them.
struct PropsUses {
    let names: Set<String>
    /// The names that it needs: it reads them, and never asks whether they are there.
    let needed: Set<String>
    /// True if it reads no others.
    let isWhole: Bool

    init(_ source: LuaSource, _ shape: FlowShape) {
        let contexts = ContextParameters(source, shape)
        func isProps(_ expression: LuaExpression?) -> Bool {
            guard case .field(let base, "props", _)? = expression else { return false }
            return contexts.contains(base)
        }
        let changed = shape.function("changed")
        let seeds =
            [
                shape.function("state")?.parameter(0), changed?.parameter(0), changed?.parameter(1),
                shape.function("access")?.parameter(3),
            ].compactMap { $0 } + source.variables.filter { isProps($0.onlyValue) }
        let uses = TableUses(of: seeds, in: source)
        let direct = source.fields.filter { isProps($0.base) }
        let all = uses.fields.map(\.use) + direct
        names = Set(all.map(\.name))
        let tested = Set(all.filter(\.kind.isTest).map(\.name))
        needed = names.subtracting(tested)
        let mentions = source.fields.count { $0.name == "props" && contexts.contains($0.base) }
        let isContextHandedOn = source.calls.contains { call in
            call.arguments.contains(where: contexts.contains)
                && source.function(of: call.callee) == nil
        }
        isWhole =
            uses.isKept && !isContextHandedOn
            && mentions == direct.count + source.variables.count { isProps($0.onlyValue) }
    }
}
