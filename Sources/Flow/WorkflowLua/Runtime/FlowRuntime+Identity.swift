import LuaVM
import PlainValue

/// The tables of the definitions in a flow's files, to distinguish those of one name.
struct DefinitionTables {
    var root: LuaReference?
    /// The definitions that the flow held at the last census.
    var census: DefinitionCensus?
    /// The first table of each name that was read.
    var first: [Name: UnsafeRawPointer] = [:]
    /// The codes of definitions that the flow does not hold, because each render makes them again.
    var passing: Set<DefinitionCode> = []
}

extension FlowRuntime {
    /// The type of nodes with a name, such as workers, that have no definition.
    func nodeType(_ name: String) -> NodeTypeName { types.type(named: Name(name)) }

    func nodeTypes(named name: String) -> [NodeTypeName] {
        types.types(named: Name(name))
    }

    func identifyRoot(_ definition: WorkflowDefinition) -> DefinitionIdentity {
        if modules.tables.root == nil { modules.tables.root = definition.table }
        return DefinitionIdentity(
            nodeType: types.type(
                named: Name(definition.name), code: definition.code, label: NodeTypes.rootLabel))
    }

    /// - Parameter isNamed: False if its name is that of its file.
    func identify(_ definition: WorkflowDefinition, isNamed: Bool) -> DefinitionIdentity {
        let name = Name(definition.name)
        let code = definition.code
        let label = label(of: definition, code, isNamed: isNamed)
        let census = modules.tables.census
        return DefinitionIdentity(
            nodeType: types.type(named: name, code: code, label: label) {
                census?.holds(name.text, labelled: $0) ?? false
            }, label: label)
    }

    func hasOther(than definition: WorkflowDefinition, labelled label: String) -> Bool {
        definition.identity.label != label
            && modules.tables.census?.holds(
                definition.name, labelled: label, besides: vm.identity(of: definition.table))
                ?? false
    }

    private func label(
        of definition: WorkflowDefinition, _ code: DefinitionCode, isNamed: Bool
    ) -> String? {
        guard let address = vm.identity(of: definition.table) else { return nil }
        let name = Name(definition.name)
        let first = modules.tables.first[name]
        if first == nil { modules.tables.first[name] = address }
        let isSecond = first != nil && first != address
        // A definition without a name shares the name of its file with all others in the file.
        guard isSecond || !isNamed, !modules.tables.passing.contains(code) else { return nil }
        if modules.tables.census?.holds(address) != true, isSecond || modules.tables.census == nil {
            takeCensus()
        }
        guard let census = modules.tables.census, census.holds(address) else {
            if isSecond { modules.tables.passing.insert(code) }
            return nil
        }
        return census.label(at: address)
    }

    /// Finds the definitions that the flow holds, and labels those that were read without a label.
    private func takeCensus() {
        var others = modules.results.map { (name: $0.key, $0.value) }
        if let caller = innermost?.definition.table { others.append((name: "", caller)) }
        let census = DefinitionCensus(of: modules.tables.root, others, in: vm)
        modules.tables.census = census
        for (address, known) in definitions.byAddress where known.identity.label == nil {
            guard let label = census.label(at: address) else { continue }
            known.identity.label = label
            types.label(known.nodeType, named: Name(known.name), label)
        }
    }
}
