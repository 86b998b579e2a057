import LuaVM
package import PlainValue
package import Workflow

// What is asked of single nodes by who looks into what was.
extension LuaFlow {
    /// The workflow of the scripted node at a path, with other props; `nil` if there is no such node.
    package func workflow(
        at path: NodePath, in host: WorkflowHost<LuaWorkflow>, props: Value
    ) -> LuaWorkflow? {
        node(at: path, in: host).map {
            LuaWorkflow(props: props, definition: $0.definition, runtime: runtime)
        }
    }

    /// The props of the scripted node at a path; `nil` if there is no such node.
    package func props(at path: NodePath, in host: WorkflowHost<LuaWorkflow>) -> Value? {
        node(at: path, in: host)?.props
    }

    /// What tells the rendering that a scripted node handed to its parent from others, as `LuaPlace.view` does.
    package func renderingView(
        at path: NodePath, in host: WorkflowHost<LuaWorkflow>
    ) -> UnsafeRawPointer? {
        node(at: path, in: host)?.cache.view.flatMap { runtime.vm.identity(of: $0) }
    }

    /// Where the text gives the state that each node of a scripted node's definition begins with; `nil` if a function
    /// makes it, or if not exactly one place in the file can be meant.
    package func location(
        ofConstantStateAt path: NodePath, in host: WorkflowHost<LuaWorkflow>
    ) -> FlowError.Location? {
        guard let definition = node(at: path, in: host)?.definition,
            case .constant = definition.initialState, let file = definition.location?.file
        else { return nil }
        let lines = modules.lines(ofField: "state", in: file)
        return lines.count == 1 ? FlowError.Location(file: file, line: lines[0]) : nil
    }

    /// The first line of a file, from one on, that is more than a comment; `nil` if there is none.
    package func lineOfCode(from line: Int, in file: String) -> Int? {
        modules.lineOfCode(from: line, in: file)
    }

    /// A line of a file, without the blanks around it; `nil` if there is none.
    package func source(at location: FlowError.Location) -> String? {
        guard let excerpt = modules.excerpt(at: location) else { return nil }
        let line = excerpt.lines[location.line - excerpt.firstLine]
        return String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The line at which the expression at a line begins: Lua does what a statement of several
    /// lines does at the last of them.
    package func start(of location: FlowError.Location) -> FlowError.Location {
        FlowError.Location(
            file: location.file,
            line: modules.startOfExpression(at: location.line, in: location.file))
    }

    /// The functions of the definitions that were read by now, each with the name of the definition; `apply` is one that
    /// takes all actions.
    package var functions: [(node: String, phase: FlowPhase)] {
        runtime.definitions.all.flatMap { definition in
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
