import LuaVM
package import PlainValue
package import Workflow

// Facts about single nodes, for looks at the past.
extension LuaFlow {
    /// The workflow of the scripted node at a path with other props; `nil` if there is none.
    package func workflow(
        at path: NodePath, in host: WorkflowHost<LuaWorkflow>, props: Value
    ) -> LuaWorkflow? {
        node(at: path, in: host).map {
            LuaWorkflow(props: props, definition: $0.definition, runtime: runtime)
        }
    }

    package func props(at path: NodePath, in host: WorkflowHost<LuaWorkflow>) -> Value? {
        node(at: path, in: host)?.props
    }

    /// The identity of the rendering that a scripted node gave its parent, as in `LuaPlace.view`.
    package func renderingView(
        at path: NodePath, in host: WorkflowHost<LuaWorkflow>
    ) -> UnsafeRawPointer? {
        node(at: path, in: host)?.cache.view.flatMap { runtime.vm.identity(of: $0) }
    }

    /// The location of the constant initial state of a scripted node's definition; `nil` if a
    /// function makes the state, or if several places in the file are possible.
    package func location(
        ofConstantStateAt path: NodePath, in host: WorkflowHost<LuaWorkflow>
    ) -> FlowError.Location? {
        guard let definition = node(at: path, in: host)?.definition,
            case .constant = definition.initialState, let file = definition.location?.file
        else { return nil }
        let lines = modules.lines(ofField: "state", in: file)
        return lines.count == 1 ? FlowError.Location(file: file, line: lines[0]) : nil
    }

    package func lineOfCode(from line: Int, in file: String) -> Int? {
        modules.lineOfCode(from: line, in: file)
    }

    /// A line of a file, without the blanks around it; `nil` if there is none.
    package func source(at location: FlowError.Location) -> String? {
        guard let excerpt = modules.excerpt(at: location) else { return nil }
        let line = excerpt.lines[location.line - excerpt.firstLine]
        return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The first line of the expression at a line; Lua runs a statement of several at the last one.
    package func start(of location: FlowError.Location) -> FlowError.Location {
        FlowError.Location(
            file: location.file,
            line: modules.startOfExpression(at: location.line, in: location.file))
    }

    /// The functions of the definitions that have been read, each with the name of the definition.
    /// `apply` has no type if one function takes all actions.
    package var functions: [(node: String, phase: FlowPhase)] {
        runtime.definitions.byAddress.values.flatMap { definition in
            var phases: [FlowPhase] = [.render]
            if case .function = definition.initialState { phases.append(.state) }
            if definition.changed != nil { phases.append(.changed) }
            if definition.migrate != nil { phases.append(.migrate) }
            if case .function = definition.apply { phases.append(.apply(nil)) }
            phases += definition.actionTypes.map { .apply($0) }
            return phases.map { (definition.name, $0) }
        }
    }

    private func node(at path: NodePath, in host: WorkflowHost<LuaWorkflow>) -> ScriptedNode? {
        host.state(of: LuaWorkflow.self, at: path)?.node
    }
}
