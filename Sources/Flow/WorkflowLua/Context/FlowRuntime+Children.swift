import LuaVM
import PlainValue
import Workflow

// The functions of the context that a node's functions receive.
extension FlowRuntime {
    /// `context:render(definition_or_name, props, { key, on_output })`
    func renderChild(_ call: borrowing LuaCall) throws(FlowError) -> LuaArgument? {
        let caller = try currentCall("render", in: .render, "render")
        try checkReceiver(call, "render", of: caller)
        guard let context = caller.renderContext else {
            throw FlowError(.misplaced, "render", "render", HostAPI.help(forMisplaced: "render"))
        }
        let props = try props(call)
        if traced != nil { traced?.props = call.identity(at: 3) }
        let options = try ChildOptions(call, of: caller, runtime: self)
        guard context.allowsChildren else { throw FlowError(.tooDeep) }
        let name = try nativeName(call)
        let standIn = name.flatMap { standIns[$0] }
        if standIn == nil, let name {
            guard let native = natives[name] else {
                throw FlowError(
                    .unknownNative, name,
                    suggestion(for: name, among: natives.keys.sorted(), noun: "names"))
            }
            try noteNative(name, options, call, caller, context)
            return .value(
                try native.render(
                    context, FlowScripts(runtime: self), props, options.key,
                    options.outputMap(name)))
        }
        let definition: WorkflowDefinition
        if let standIn { definition = standIn } else { definition = try childDefinition(call) }
        let child = LuaWorkflow(props: props, definition: definition, runtime: self)
        if !caller.node.current.natives.isEmpty,
            let first = caller.node.current.natives[Name(options.id(of: definition.name))]
        {
            throw twice(definition.name, options, at: first)
        }
        if let first = context.numberOfRendered(child, key: options.key) {
            throw twice(definition.name, options, at: call.rememberedLocation(first))
        }
        try requireNoNamesake(of: child, options, call, context)
        let rendering =
            options.handlesOutput
            ? child.rendered(
                in: context, key: options.key, outputMap: options.outputMap(definition.name))
            : child.renderedWithoutOutput(in: context, key: options.key)
        rendering.node.isHeard = options.handlesOutput
        if let failure = rendering.node.renderFailure {
            caller.node.current.childFailure = failure
            throw failure
        }
        // In the next pass, the interpreter answers the same call unless the child must render.
        if let number = context.lastChildNumber {
            call.remember(number, rendering.node.cache.view)
            caller.node.context.remembersChildren = true
        }
        // A scripted parent receives the view that its child has made.
        return rendering.node.cache.view.map { .reference($0) } ?? .value(rendering.value)
    }

    /// Takes over a child with its last rendering if it need not render; true if it was taken over.
    ///
    /// - Parameter number: The number of the child, for which the script asks as in the last pass.
    func keepChild(_ number: Int) -> Bool {
        guard calls.innermost.kind == .render else { return false }
        return calls.innermost.node?.current.context?.reuseNextChild(number) ?? false
    }

    private func nativeName(_ call: borrowing LuaCall) throws(FlowError) -> String? {
        guard call.type(at: 2) == .string, let name = call.string(at: 2) else { return nil }
        return try FlowNames.checked(name, "the name of a workflow").text
    }

    private func childDefinition(
        _ call: borrowing LuaCall
    ) throws(FlowError) -> WorkflowDefinition {
        if let known = knownDefinition(at: call.identity(at: 2)) { return known }
        guard call.type(at: 2) == .table else {
            throw FlowError(.badChild, call.type(at: 2).described)
        }
        let table = try lua { () throws(LuaError) in try call.reference(at: 2) }
        return try definition(in: table, defaultName: nil)
    }

    /// The plain value of an argument; an error names it by `root`.
    func value(_ call: borrowing LuaCall, at index: Int, root: String) throws(FlowError) -> Value {
        try lua { () throws(LuaError) in try call.value(at: index, root: root) }
    }

    private func props(_ call: borrowing LuaCall) throws(FlowError) -> Value {
        switch call.type(at: 3) {
        case .nil: return emptyProps
        case .table, .view: return try value(call, at: 3, root: "props")
        default: throw FlowError(.badProps, call.type(at: 3).described)
        }
    }

    private func noteNative(
        _ name: String, _ options: ChildOptions, _ call: borrowing LuaCall, _ caller: NodeCall,
        _ context: RenderContext<LuaWorkflow>
    ) throws(FlowError) {
        // A scripted child of this name would have the same path.
        for type in nodeTypes(named: name) {
            guard
                let first = context.numberOfRendered(
                    LuaWorkflow.self, type: ObjectIdentifier(type), key: options.key)
            else { continue }
            throw twice(name, options, at: call.rememberedLocation(first))
        }
        let location = call.callerLocation
        let id = Name(options.id(of: name))
        guard let first = caller.node.current.natives.updateValue(location, forKey: id) else {
            return
        }
        throw twice(name, options, at: first)
    }

    /// Throws if this render has a child of another definition with the same path.
    private func requireNoNamesake(
        of child: LuaWorkflow, _ options: ChildOptions, _ call: borrowing LuaCall,
        _ context: RenderContext<LuaWorkflow>
    ) throws(FlowError) {
        let types = nodeTypes(named: child.nodeName)
        guard types.count > 1 else { return }
        for type in types where type !== child.definition.nodeType {
            guard
                let first = context.numberOfRendered(
                    child, type: ObjectIdentifier(type), key: options.key)
            else { continue }
            var error = twice(child.nodeName, options, at: call.rememberedLocation(first))
            error.help = "give each definition a name of its own, such as { name = \"login\", … }"
            throw error
        }
    }

    private func twice(
        _ name: String, _ options: ChildOptions, at first: LuaLocation?
    ) -> FlowError {
        var error = FlowError(
            options.key.isEmpty ? .twins : .twinsWithKey, "children", name,
            "child of one definition", options.key)
        if let first { error.notes.append("the first is at \(first.chunk):\(first.line)") }
        return error
    }

    /// `context:sink(type, fields)`
    func makeSink(_ call: borrowing LuaCall) throws(FlowError) -> LuaArgument? {
        let caller = try currentCall("sink", in: .render, "render")
        try checkReceiver(call, "sink", of: caller)
        guard let type = call.string(at: 2) else {
            throw FlowError(.badSink, call.type(at: 2).described)
        }
        let name = try FlowNames.checked(type, "the type of an action")
        let hasFields = call.type(at: 3) != .nil
        if !hasFields, let known = caller.node.cache.sinks.find(name) { return .reference(known) }
        guard caller.definition.takes(name) else {
            throw unknownAction(type, of: caller.definition, path: caller.path)
        }
        if hasFields { return .value(sink(to: caller, try sinkFields(call, type), type: type)) }
        let made = try lua { () throws(LuaError) in
            let value = sink(to: caller, [:], type: type)
            return try vm.makeView(of: try vm.makeTable(value), label: "a sink", encoding: value)
        }
        caller.node.cache.sinks.keep(made, of: name)
        return .reference(made)
    }

    private func sink(to caller: NodeCall, _ fields: Value.Record, type: String) -> Value {
        var action = fields
        action["type"] = .string(type)
        return ["$sink": ["node": .string(caller.node.place.text), "action": .record(action)]]
    }

    private func sinkFields(
        _ call: borrowing LuaCall, _ type: String
    ) throws(FlowError) -> Value.Record {
        switch try value(call, at: 3, root: "fields") {
        case .record(let record): return record
        case .list(let list) where list.isEmpty: return [:]
        case let fields: throw FlowError(.badSinkFields, fields.kind, type)
        }
    }

    /// `context:random(m, n)`, with the meanings of Lua's `math.random`.
    func drawRandom(_ call: borrowing LuaCall) throws(FlowError) -> LuaArgument? {
        let caller = try currentCall("random", in: .apply, "apply")
        try checkReceiver(call, "random", of: caller)
        if call.argumentCount <= 1 { return .value(.double(Double(random.next() >> 11) * 0x1p-53)) }
        let first = call.integer(at: 2)
        let second = call.argumentCount > 2 ? call.integer(at: 3) : nil
        guard let first, call.argumentCount <= 2 || second != nil else {
            throw FlowError(.badRandom)
        }
        let range = second.map { (first, $0) } ?? (1, first)
        guard range.0 <= range.1 else { throw FlowError(.emptyRange, range.0, range.1) }
        return .value(.int(Int.random(in: range.0...range.1, using: &random)))
    }
}

/// The props of a node that was given none.
let emptyProps = Value.record([:])

/// The third argument of `context:render`.
private struct ChildOptions {
    private(set) var key = ""
    private var onOutput: OutputHandler?
    private let runtime: FlowRuntime
    private let parent: NodeCall

    init(_ call: borrowing LuaCall, of caller: NodeCall, runtime: FlowRuntime) throws(FlowError) {
        self.runtime = runtime
        parent = caller
        guard call.type(at: 4) != .nil else { return }
        guard call.type(at: 4) == .table else {
            throw FlowError(.badChildOptions, call.type(at: 4).described)
        }
        let known = ["key", "on_output"]
        for field in try call.options(at: 4, of: "context:render", known: known) {
            switch field.key {
            case .name("key"): key = try nodeKey(field, of: "a child")
            case .name("on_output"):
                onOutput = try OutputHandler(field, name: "on_output", of: caller)
            default: throw try unknownOption(field.key, of: "context:render", known: known)
            }
        }
    }

    var handlesOutput: Bool { onOutput != nil }

    /// The last component of the child's path.
    func id(of name: String) -> String { key.isEmpty ? name : "\(name):\(key)" }

    func outputMap(_ child: String) -> (Value) throws -> LuaAction? {
        let id = id(of: child)
        return { [runtime, parent, onOutput] output in
            guard let onOutput else { return nil }
            return try onOutput.action(
                for: output, field: "output", source: "child:\(parent.path)/\(id)",
                runtime: runtime, caller: parent)
        }
    }
}
