import LuaVM
import PlainValue
import Workflow

/// One Lua interpreter with the definitions it has loaded, and the calls into them that are under way.
///
/// Belongs, like the host whose nodes use it, to one isolation.
final class FlowRuntime {
    let vm: LuaVM
    let configuration: FlowConfiguration
    /// Loads files for the definitions that are in force.
    private(set) var modules: ModuleLoader
    let natives: [String: NativeWorkflow]
    /// Definitions that stand in for native workflows, by the names of these; for tests.
    var standIns: [String: WorkflowDefinition] = [:]

    /// The innermost call of a node's function that is under way.
    var innermost: NodeCall? {
        innermostNode.map {
            NodeCall(node: $0.takeUnretainedValue(), kind: innermostKind)
        }
    }

    /// Kept alive by the call.
    @exclusivity(unchecked)
    private(set) var innermostNode: Unmanaged<ScriptedNode>?
    @exclusivity(unchecked)
    private(set) var innermostKind = NodeCall.Kind.state
    /// How many such calls are under way, each within the one before.
    @exclusivity(unchecked)
    private(set) var depth = 0
    /// How many such calls there were.
    @exclusivity(unchecked)
    private(set) var callCount = 0
    /// The number of the innermost one.
    @exclusivity(unchecked)
    private(set) var innermostNumber = 0
    /// Where it is noted for other threads.
    private let place: CallPlace?
    private var contextType: LuaObjectType?
    /// The context that scripts may use; it stays so until another one is.
    @exclusivity(unchecked)
    private var usableContext: LuaObject?
    @exclusivity(unchecked)
    private var usableSlot: LuaSlot?
    /// The use that they may make of it.
    // Read and written as a whole, and never handed on by reference, so no two accesses overlap.
    @exclusivity(unchecked)
    private var usableAccess = LuaObject.Access.none
    @exclusivity(unchecked)
    private(set) var definitions = KnownDefinitions()
    var identities = DefinitionIdentities()
    /// What has been noted since the flow was loaded, to be said once.
    private var notes: Set<Name> = []
    /// The functions that have used a context.
    private var receivers: Set<LuaSlot> = []
    /// The functions that have changed nothing.
    private var idleFunctions: Set<LuaSlot> = []
    /// The number of the process of the scripts, if they have one of their own: what nodes keep in Lua is of one process.
    @exclusivity(unchecked)
    private(set) var generation: UInt32
    /// Whether lines are told; see ``FlowTrace``.
    // Read and written as a whole, and never handed on by reference, so no two accesses overlap.
    @exclusivity(unchecked)
    var isTraced = false
    /// Meanwhile, the table that was last given to a child as its props.
    var tracedProps: UnsafeRawPointer?
    /// Meanwhile, the action that was last applied.
    var tracedAction: Value?
    /// The time at which the session began.
    private let startTime: Double
    /// True if a file that was loaded has seen it.
    private(set) var showedStartTime = false
    /// How far `context:random` has drawn.
    var random: LuaRandom

    init(configuration: FlowConfiguration) throws(FlowError) {
        self.configuration = configuration
        natives = configuration.nativeWorkflows.entries
        vm = try lua { () throws(LuaError) in try LuaVM(configuration.limits) }
        random = LuaRandom(vm.randomState)
        generation = vm.generation
        place = configuration.interrupt.notedPlace
        configuration.interrupt.watch(vm.interrupt)
        startTime = configuration.startTime ?? configuration.now()
        modules = ModuleLoader(modules: FlowModules([:]), vm: vm)
        vm.onPrint = { line in
            configuration.onPrint(
                FlowLog(message: line.text, location: line.location.map(FlowError.Location.init)))
        }
        // Sound because this ends with `self`; asked for each child of each render.
        vm.onRecall = { [unowned(unsafe) self] number in keepChild(number) }
    }

    deinit { vm.onRecall = nil }

    // MARK: Definitions

    /// The definition in a table, read and checked when it is first seen.
    ///
    /// - Parameter isRoot: Whether it is for the root of a tree, or stands in for one.
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

    /// The definition at this address, if it has been read.
    func knownDefinition(at address: UnsafeRawPointer?) -> WorkflowDefinition? {
        address.flatMap { definitions[$0] }
    }

    /// Loads a flow's own file anew, and all that it requires; the definitions in force stay so if it fails.
    func load(
        _ module: FlowModules.Module, modules source: FlowModules
    ) throws(FlowError) -> WorkflowDefinition {
        // Before there are two of the table: what both have would count as used.
        definitions.forgetUnused()
        let known = (modules, definitions, identities)
        identities.types.filesWereLoaded()
        identities.forgetTables()
        notes = []
        let loader = loader(for: source)
        modules = loader
        do throws(FlowError) {
            try loader.install()
            let table = try loader.loadRoot(module)
            return try definition(
                in: table,
                defaultName: configuration.rootName ?? DefinitionReader.baseName(module.file),
                isRoot: true)
        } catch {
            var error = error
            // What is wrong with the whole file has no line, but the file is known.
            if error.location == nil {
                let line = error.field.flatMap { loader.lines(ofField: $0, in: module.file).first }
                error.location = .init(file: module.file, line: line ?? 0)
            }
            error = loader.completed(error, phase: .load, node: nil)
            definitions = known.1
            identities = known.2
            try use(known.0)
            throw error
        }
    }

    /// The loader of modules into this interpreter.
    func loader(for modules: FlowModules) -> ModuleLoader {
        ModuleLoader(
            modules: modules, vm: vm,
            now: { [unowned self] () throws(FlowError) in try scriptTime() },
            note: { [unowned self] in note($0, at: $1) })
    }

    /// The time that scripts may know: that of an action, and for files that are loaded always the
    /// same one.
    private func scriptTime() throws(FlowError) -> Double {
        guard let innermost, !modules.isLoading else {
            showedStartTime = true
            return startTime
        }
        guard innermost.kind == .apply else {
            throw FlowError(
                .misuse, "os.time and os.date know the time only in apply",
                help: "keep context.now of an action in the state, or give a time to them")
        }
        return configuration.now()
    }

    /// Makes the files of a loader the ones in force.
    func use(_ loader: ModuleLoader) throws(FlowError) {
        modules = loader
        try loader.install()
    }

    /// The plain value of an expression that someone typed, with read-only values under names of their own.
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

    /// All plain values of such an expression.
    func values(
        of expression: String, _ names: [(String, Value)]
    ) throws(FlowError) -> [Value] {
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
        contextType = nil
        usableContext = nil
        usableSlot = nil
        definitions = KnownDefinitions()
        identities.forgetTables()
        standIns = [:]
        try lua { () throws(LuaError) in try vm.restart() }
        generation = vm.generation
    }

    /// Says that something is most likely a mistake, once.
    func note(_ message: String, at location: FlowError.Location?) {
        guard notes.count < 100, notes.insert(Name(message)).inserted else { return }
        configuration.onPrint(
            FlowLog(note: message, at: location))
    }

    /// Whether a function changes nothing for the first time: why stands in its text.
    func isIdleForTheFirstTime(_ function: LuaSlot) -> Bool {
        idleFunctions.insert(function).inserted
    }

    // MARK: Calls

    /// Runs `body` as a call of a function of a node, which may use the node's context meanwhile.
    ///
    /// - Parameters:
    ///   - function: The function, whose place serves for an error that has none of its own.
    ///   - phase: How an error tells what was done.
    @inline(__always)
    func withCall<T>(
        _ call: NodeCall, of function: LuaSlot, _ phase: @autoclosure () -> FlowPhase,
        _ body: () throws(FlowError) -> T
    ) throws(FlowError) -> T {
        let node = call.node
        if node.generation != generation { node.forgetLua() }
        let outer = innermostNode
        let outerKind = innermostKind
        let outerNumber = innermostNumber
        innermostNode = Unmanaged.passUnretained(node)
        innermostKind = call.kind
        depth += 1
        callCount &+= 1
        innermostNumber = callCount
        if let place { place.enter(node) }
        defer {
            innermostNode = outer
            innermostKind = outerKind
            innermostNumber = outerNumber
            depth -= 1
            if let place { place.enter(outer?.takeUnretainedValue()) }
            // Between outermost calls no script runs, so the context may stay as it is.
            if let outer { use(outer.takeUnretainedValue().context, outerKind.access) }
            withExtendedLifetime(node) {}
        }
        do throws(FlowError) {
            try prepareContext(of: call)
            if node.contextSlot != usableSlot || call.kind.access != usableAccess {
                use(node.context, call.kind.access)
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
            call.node.sinks.removeAll()
        }
        return modules.completed(error, phase: phase, node: call.path)
    }

    /// Makes `context` the one that scripts may use: that of the innermost call.
    private func use(_ context: LuaObject?, _ access: LuaObject.Access) {
        if usableContext === context {
            if usableAccess == access { return }
        } else {
            usableContext?.access = .none
            usableContext = context
            usableSlot = context?.reference.borrowed
        }
        context?.access = access
        usableAccess = access
    }

    /// Sees to it that there is the object that the node's functions receive, and that it tells what they may know.
    @inline(__always)
    private func prepareContext(of call: NodeCall) throws(FlowError) {
        if !call.node.contextHasProps { try renewContext(of: call.node) }
        guard call.kind.access == .input else { return }
        let input = ContextInput(
            now: call.kind == .apply ? configuration.now() : nil,
            principal: configuration.principal())
        if call.node.contextInput != input { try set(input, call.node) }
    }

    private func renewContext(of node: ScriptedNode) throws(FlowError) {
        try lua { () throws(LuaError) in
            if node.context == nil {
                let made = try vm.makeObject(try contextObjectType(), tag: 0)
                made.access = .none
                node.keep(made)
            }
            let view = try vm.makeView(of: node.props, label: "props")
            try node.context?.setField("props", to: .reference(view))
        }
        node.contextHasProps = true
    }

    private func set(_ input: ContextInput, _ node: ScriptedNode) throws(FlowError) {
        let known = node.contextInput
        try lua { () throws(LuaError) in
            if known?.now != input.now {
                try node.context?.setField(
                    "now", to: input.now.map { .value(.double($0)) } ?? .nil, isInput: true)
            }
            if known == nil || known?.principal != input.principal {
                try node.context?.setField(
                    "principal", to: .value(input.principal.map { .string($0) } ?? .null),
                    isInput: true)
            }
        }
        node.contextInput = input
    }

    private func contextObjectType() throws(LuaError) -> LuaObjectType {
        if let known = contextType { return known }
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
        contextType = made
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
        guard let call = innermost else {
            throw FlowError(
                .misuse, "context:\(function) was used outside the call it was made for",
                help: "use a context in the call that receives it, and do not keep it")
        }
        guard call.kind == kind else {
            throw FlowError(
                .misuse, "context:\(function) works only in \(`where`)",
                help: HostAPI.help(forMisplaced: function))
        }
        return call
    }

    /// Checks that the first argument is the context of the innermost call.
    func checkReceiver(
        _ call: borrowing LuaCall, _ function: String, of caller: NodeCall
    ) throws(FlowError) {
        guard let context = caller.node.context,
            call.identity(at: 1) == vm.identity(of: context.reference)
        else {
            throw FlowError(
                .misuse, "context:\(function) needs the context of the call that is under way",
                help: "write context:\(function)(…) with a colon")
        }
        let node = caller.node
        if let slot = caller.kind == .apply ? node.lastFunction : node.renderSlot,
            slot != node.receiver
        {
            node.receiver = slot
            // Whether it receives one stands in its text: once is enough for all nodes.
            guard receivers.insert(slot).inserted else { return }
            node.noteKeptContext(function, in: slot, at: caller.kind == .apply ? 3 : 2)
        }
    }
}

/// The fields of a context about the input that is being dealt with.
struct ContextInput: Equatable {
    /// The time, in seconds since 1970; `nil` where a flow may not know it.
    let now: Double?
    /// The name of the sender; `nil` for nobody.
    let principal: String?
}

/// A call of one function of a node.
struct NodeCall {
    /// What it is for.
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
    var path: String { node.path ?? node.provisionalPath }
    var definition: WorkflowDefinition { node.definition }
    var renderContext: RenderContext<LuaWorkflow>? { node.renderContext }
}
