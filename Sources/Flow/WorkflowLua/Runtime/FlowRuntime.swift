import LuaVM
import PlainValue
import Workflow

/// A Lua interpreter of one isolation, with its definitions and the running calls into them.
final class FlowRuntime {
    let vm: LuaVM
    let options: LuaFlow.Options
    /// Loads files for the definitions that are in force.
    private(set) var modules: ModuleLoader
    let natives: [String: NativeWorkflow]
    /// Definitions that stand in for native workflows, by the names of these; for tests.
    var standIns: [String: WorkflowDefinition] = [:]

    // Accesses to what is unchecked never overlap. They happen on the isolation of the runtime, and
    // no script code, which could lead back to it, runs while a part is changed.
    @exclusivity(unchecked)
    private(set) var calls: NodeCalls
    @exclusivity(unchecked)
    private var context = UsableContext()
    @exclusivity(unchecked)
    private(set) var definitions = KnownDefinitions()
    var types = NodeTypes()
    private var noted = NotedOnce()
    /// The number of the script process, if there is one: the Lua values of nodes belong to it.
    @exclusivity(unchecked)
    private(set) var generation: UInt32
    /// The inputs that a trace looks at; `nil` while lines are not told. See ``FlowTrace``.
    @exclusivity(unchecked)
    var traced: TracedInputs?
    private let startTime: Int
    /// True if a file that was loaded has seen it.
    private(set) var showedStartTime = false
    /// The generator of `context:random`, as far as it has been drawn from.
    var random: LuaRandom

    var innermost: NodeCall? {
        calls.innermost.node.map { NodeCall(node: $0, kind: calls.innermost.kind) }
    }

    init(options: LuaFlow.Options) throws(FlowError) {
        self.options = options
        natives = options.nativeWorkflows.entries
        vm = try lua { () throws(LuaError) in try LuaVM(options.limits) }
        random = LuaRandom(vm.randomState)
        generation = vm.generation
        calls = NodeCalls(notedAt: options.interrupt.notedPlace)
        options.interrupt.watch(vm.interrupt)
        startTime = options.startTime ?? options.now()
        modules = ModuleLoader(modules: FlowModules([:]), vm: vm)
        vm.onPrint = { line in
            options.onPrint(
                FlowLog(message: line.text, location: line.location.map(FlowError.Location.init)))
        }
        vm.onRecall = { [unowned self] number in keepChild(number) }
    }

    deinit { vm.onRecall = nil }

    // MARK: Definitions

    /// The definition in a table, read when first seen. A stand-in for a root is one, too.
    func definition(
        in table: LuaReference, defaultName: String?, isRoot: Bool = false
    ) throws(FlowError) -> WorkflowDefinition {
        if let address = vm.identity(of: table), let known = definitions[address] { return known }
        let reader = DefinitionReader(vm: vm, table: table, defaultName: defaultName) {
            isRoot ? self.identifyRoot($0) : self.identify($0, isNamed: $1)
        }
        let definition = try reader.read()
        if let address = vm.identity(of: table) { definitions.keep(definition, at: address) }
        return definition
    }

    func knownDefinition(at address: UnsafeRawPointer?) -> WorkflowDefinition? {
        address.flatMap { definitions[$0] }
    }

    /// Reloads a flow's file and all that it requires; on failure the present definitions stay.
    func load(
        _ module: FlowModules.Module, modules source: FlowModules
    ) throws(FlowError) -> WorkflowDefinition {
        // Before there are two of the table: what both have would count as used.
        definitions.forgetUnused()
        let known = (modules, definitions, types)
        types.filesWereLoaded()
        noted.texts = []
        let loader = loader(for: source)
        modules = loader
        do throws(FlowError) {
            try loader.install()
            let table = try loader.loadRoot(module)
            return try definition(
                in: table,
                defaultName: options.rootName ?? module.file.nameOfPath.withoutLua, isRoot: true)
        } catch {
            var error = error
            // What is wrong with the whole file has no line, but the file is known.
            if error.location == nil {
                let line = error.field.flatMap { loader.lines(ofField: $0, in: module.file).first }
                error.location = .init(file: module.file, line: line ?? 0)
            }
            error = loader.completed(error, phase: .load, node: nil)
            definitions = known.1
            types = known.2
            try use(known.0)
            throw error
        }
    }

    func loader(for modules: FlowModules) -> ModuleLoader {
        ModuleLoader(
            modules: modules, vm: vm,
            now: { [unowned self] () throws(FlowError) in try scriptTime() },
            note: { [unowned self] in note($0, at: $1) })
    }

    /// The time that scripts may know: that of an action; while files are loaded, always the same.
    private func scriptTime() throws(FlowError) -> Int {
        guard let innermost, !modules.isLoading else {
            showedStartTime = true
            return startTime
        }
        guard innermost.kind == .apply else { throw FlowError(.noTime) }
        return options.now()
    }

    /// Makes the files of a loader the ones in force.
    func use(_ loader: ModuleLoader) throws(FlowError) {
        modules = loader
        try loader.install()
    }

    /// The plain value of a typed expression, which sees read-only values under the given names.
    func value(of expression: String, _ names: [(String, Value)]) throws(FlowError) -> Value {
        try evaluating(expression, names) { () throws(LuaError) in
            let locals = names.map(\.0).joined(separator: ", ")
            let chunk = try vm.load(
                (names.isEmpty ? "" : "local \(locals) = ...; ") + "return " + expression,
                chunkName: "input")
            return try vm.call(chunk, arguments(names), returning: .value, root: "value").value
                ?? .null
        }
    }

    func values(of expression: String, _ names: [(String, Value)]) throws(FlowError) -> [Value] {
        try evaluating(expression, names) { () throws(LuaError) in
            try vm.values(of: expression, names.map(\.0), arguments(names), chunkName: "input")
        }
    }

    private func evaluating<Result>(
        _ expression: String, _ names: [(String, Value)], _ body: () throws(LuaError) -> Result
    ) throws(FlowError) -> Result {
        do throws(FlowError) {
            return try lua(body)
        } catch {
            var error = modules.completed(error, phase: .load, node: nil)
            error.help = error.help ?? error.advice(onTyped: expression, seeing: names)
            throw error
        }
    }

    private func arguments(_ names: [(String, Value)]) throws(LuaError) -> [LuaArgument] {
        try names.map { name, value throws(LuaError) in
            switch value {
            case .list, .record: .reference(try vm.makeView(of: value, label: name))
            default: .value(value)
            }
        }
    }

    /// Goes on in a new process for the scripts, which knows no definition yet.
    func restart() throws(FlowError) {
        assert(calls.depth == 0)
        context.forgetLua()
        definitions = KnownDefinitions()
        modules.tables = DefinitionTables()
        standIns = [:]
        try lua { () throws(LuaError) in try vm.restart() }
        generation = vm.generation
    }

    /// Says that something is most likely a mistake, once.
    func note(_ message: String, at location: FlowError.Location?) {
        guard noted.texts.count < 100, noted.texts.insert(Name(message)).inserted else { return }
        options.onPrint(FlowLog(note: message, at: location))
    }

    /// True if a function changes nothing for the first time: the reason stands in its text.
    func isIdleForTheFirstTime(_ function: LuaSlot) -> Bool {
        noted.idleFunctions.insert(function).inserted
    }

    // MARK: Calls

    /// Runs `body` as a call of a function of a node, which may use its context meanwhile. The
    /// place of `function` serves for an error that has none of its own.
    @inline(__always)
    func withCall<T>(
        _ call: NodeCall, of function: LuaSlot, _ phase: @autoclosure () -> FlowPhase,
        _ body: () throws(FlowError) -> T
    ) throws(FlowError) -> T {
        let node = call.node
        if node.generation != generation { node.forgetLua() }
        let outer = calls.enter(node, call.kind)
        defer {
            calls.leave(to: outer)
            // Between outermost calls no script runs, so the context may stay as it is.
            if let node = outer.node { context.use(node.context.object, outer.kind.access) }
        }
        do throws(FlowError) {
            try prepareContext(of: call)
            if node.context.slot != context.slot || call.kind.access != context.access {
                context.use(node.context.object, call.kind.access)
            }
            return try body()
        } catch {
            throw completed(error, call, phase(), of: function)
        }
    }

    @inline(never)
    private func completed(
        _ error: FlowError, _ call: NodeCall, _ phase: FlowPhase, of function: LuaSlot
    ) -> FlowError {
        var error = error
        if error.location == nil, error.phase == nil {
            error.location = vm.location(of: function).map(FlowError.Location.init)
        }
        if error.phase == nil { error.addProps(of: call) }
        if error.code == .memoryLimit {
            // What is kept for later calls must not make them fail in turn.
            definitions.forgetUnused()
            call.node.cache.sinks.removeAll()
        }
        return modules.completed(error, phase: phase, node: call.path)
    }

    /// Makes the node's context if there is none, and gives it the fields that this call may see.
    @inline(__always)
    private func prepareContext(of call: NodeCall) throws(FlowError) {
        if !call.node.context.hasProps { try renewContext(of: call.node) }
        guard call.kind.access == .input else { return }
        let input = ContextInput(
            now: call.kind == .apply ? options.now() : nil, principal: options.principal())
        if call.node.context.input != input { try set(input, call.node) }
    }

    private func renewContext(of node: ScriptedNode) throws(FlowError) {
        try lua { () throws(LuaError) in
            if node.context.object == nil {
                let made = try vm.makeObject(try contextObjectType(), tag: 0)
                made.access = .none
                node.context.keep(made)
            }
            let view = try vm.makeView(of: node.props, label: "props")
            try node.context.object?.setField("props", to: .reference(view))
        }
        node.context.hasProps = true
    }

    private func set(_ input: ContextInput, _ node: ScriptedNode) throws(FlowError) {
        let known = node.context.input
        try lua { () throws(LuaError) in
            if known?.now != input.now {
                try node.context.object?.setField(
                    "now", to: input.now.map { .value(.time($0)) } ?? .nil, isInput: true)
            }
            if known == nil || known?.principal != input.principal {
                try node.context.object?.setField(
                    "principal", to: .value(input.principal.map { .string($0) } ?? .null),
                    isInput: true)
            }
        }
        node.context.input = input
    }

    private func contextObjectType() throws(LuaError) -> LuaObjectType {
        if let known = context.type { return known }
        let made = try vm.makeObjectType(
            "context",
            methods: [
                "render": try method("render", remembering: true) {
                    runtime, call throws(FlowError) in
                    try runtime.renderChild(call)
                },
                "sink": try method("sink") { runtime, call throws(FlowError) in
                    try runtime.makeSink(call)
                },
                "run": try method("run") { runtime, call throws(FlowError) in
                    try runtime.runWorker(call)
                },
                "random": try method("random") { runtime, call throws(FlowError) in
                    try runtime.drawRandom(call)
                },
            ])
        context.type = made
        return made
    }

    private func method(
        _ name: String, remembering: Bool = false,
        _ body: @escaping (FlowRuntime, borrowing LuaCall) throws(FlowError) -> LuaArgument?
    ) throws(LuaError) -> LuaReference {
        // The runtime owns the VM, which keeps the function.
        try vm.makeFunction(name, remembering: remembering) {
            [unowned self] call throws(LuaError) in
            do throws(FlowError) {
                return try body(self, call)
            } catch {
                throw LuaError(raising: error)
            }
        }
    }

    /// The innermost call, if it is one that a function of the context may be used in.
    func currentCall(
        _ function: String, in kind: NodeCall.Kind, _ where: String
    ) throws(FlowError) -> NodeCall {
        guard let call = innermost else { throw FlowError(.outsideCall, function) }
        guard call.kind == kind else {
            throw FlowError(.misplaced, function, `where`, HostAPI.help(forMisplaced: function))
        }
        return call
    }

    /// Checks that the first argument is the context of the innermost call.
    func checkReceiver(
        _ call: borrowing LuaCall, _ function: String, of caller: NodeCall
    ) throws(FlowError) {
        guard let context = caller.node.context.object,
            call.identity(at: 1) == vm.identity(of: context.reference)
        else { throw FlowError(.noReceiver, function) }
        let node = caller.node
        if let slot = caller.kind == .apply ? node.functions.last : node.functions.render,
            slot != node.context.receiver
        {
            node.context.receiver = slot
            // Whether it receives one stands in its text: once is enough for all nodes.
            guard noted.receivers.insert(slot).inserted else { return }
            node.noteKeptContext(function, in: slot, at: caller.kind == .apply ? 3 : 2)
        }
    }
}

/// The fields of a context about the input that is being dealt with.
struct ContextInput: Equatable {
    /// The time, in milliseconds since 1970; `nil` where a flow may not know it.
    let now: Int?
    let principal: String?
}

extension Value {
    /// A time for scripts, in seconds, from one in milliseconds.
    static func time(_ milliseconds: Int) -> Value { .double(Double(milliseconds) / 1000) }
}

struct NodeCall {
    enum Kind {
        case state, changed, migrate, render, apply
        /// To turn what a child or a worker of the node gave into an action.
        case answer

        /// The use that scripts may make of the context meanwhile.
        var access: LuaObject.Access {
            // What is seen of a state must not depend on when it is looked at, or by whom.
            self == .apply || self == .state ? .input : .methods
        }
    }

    let node: ScriptedNode
    let kind: Kind

    var props: Value { node.props }
    var path: NodePath { node.place.path }
    var definition: WorkflowDefinition { node.definition }
    var renderContext: RenderContext<LuaWorkflow>? { node.current.context }
}
