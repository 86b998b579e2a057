import LuaSyntax

struct DefinitionFunctions {
    let render: LuaFunction?
    let state: LuaFunction?
    let migrate: LuaFunction?
    let apply: [LuaFunction]
    private let changed, access: LuaFunction?
    private let stateValues: [LuaExpression]

    init?(_ shape: FlowShape?) {
        guard let shape, shape.isFlow else { return nil }
        render = shape.function("render")
        state = shape.function("state")
        migrate = shape.function("migrate")
        changed = shape.function("changed")
        access = shape.function("access")
        apply = shape.applyFunctions + [shape.function("apply")].compactMap { $0 }
        stateValues = shape.fields["state"] ?? []
    }

    /// The parameters that hold the node's state and may change it.
    var statesToChange: [LuaVariable] {
        (apply.map { $0.parameters.first } + [changed?.parameter(2)]).compactMap { $0 }
    }

    var states: [LuaVariable] {
        statesToChange + [render?.parameter(0), access?.parameter(2)].compactMap { $0 }
    }

    /// The variables that hold a state before it is that of the node: in `state`, and in `migrate`.
    var earlierStates: [LuaVariable] {
        firstStates.compactMap(\.value.variable) + [migrate?.parameter(0)].compactMap { $0 }
    }

    var firstStates: [LuaChoice.Operand] { state?.results ?? [] }

    var isStateless: Bool { stateValues.isEmpty }

    var actions: [LuaVariable] { apply.compactMap { $0.parameter(1) } }

    var props: [LuaVariable] {
        [state?.parameter(0), changed?.parameter(0), changed?.parameter(1)].compactMap { $0 }
    }

    /// The table constructors of the initial state, if all are known.
    var stateLiterals: [LuaTable]? {
        guard stateValues.count == 1 else { return nil }
        let values = state.map { $0.returns.map { $0.first?.value ?? .opaque } } ?? stateValues
        let tables = values.compactMap(\.known.table).filter(\.isClosed)
        return tables.isEmpty || tables.count < values.count ? nil : tables
    }
}
