import LuaVM
public import PlainValue
public import Workflow

/// A loaded flow, which makes workflows from its root definition.
///
/// ```swift
/// let flow = try LuaFlow(file: "todo.lua")
/// let host = WorkflowHost(workflow: flow.workflow(props: ["title": "Today"]))
/// ```
///
/// A flow has its own Lua interpreter, which all its nodes share.
///
/// - Important: It belongs to the isolation that loaded it; several hosts on that may run it.
public struct LuaFlow {
    let runtime: FlowRuntime
    private let source: Source
    private var root: WorkflowDefinition
    private(set) var modules: ModuleLoader
    /// The state of the random numbers when the flow was loaded.
    private(set) var firstRandom: RandomState

    enum Source {
        case file(String)
        case text(FlowModules.Module, FlowModules)
        /// A definition in a loaded script.
        case script
    }

    /// Loads a flow file, which can `require` the modules in its folder.
    ///
    /// ```swift
    /// let flow = try LuaFlow(file: "Examples/todo/todo.lua")
    /// print(flow.name, flow.files)  // todo ["item.lua", "todo.lua"]
    /// ```
    ///
    /// - Throws: A ``FlowError`` if the file cannot be read, does not compile, fails when it runs
    ///   or does not return a valid definition.
    public init(file path: String, options: Options = Options()) throws(FlowError) {
        try self.init(.file(path), options)
    }

    /// Loads a flow from its source text and its modules.
    ///
    /// ```swift
    /// let hello = "return { render = function() return 'Hello' end }"
    /// let flow = try LuaFlow(source: hello, name: "hello.lua")
    /// print(WorkflowHost(workflow: flow.workflow()).rendering.value)  // "Hello"
    /// ```
    ///
    /// - Parameters:
    ///   - source: The text of the flow's file.
    ///   - name: The name that messages show as the file, such as `flow.lua`.
    ///   - modules: The modules that the flow may require; none by default.
    ///   - options: Limits, workers and others.
    /// - Throws: A ``FlowError`` if the text does not compile, fails when it runs or does not
    ///   return a valid definition.
    public init(
        source: String, name: String = "flow.lua", modules: FlowModules = FlowModules([:]),
        options: Options = Options()
    ) throws(FlowError) {
        try self.init(
            .text(FlowModules.Module(file: name, source: Array(source.utf8)), modules), options)
    }

    private init(_ source: Source, _ options: Options) throws(FlowError) {
        self.source = source
        let (module, modules) = try source.read(
            upTo: options.limits.sourceLimit, libraries: options.libraries)
        runtime = try FlowRuntime(options: options)
        firstRandom = RandomState(runtime)
        let place = options.interrupt.notedPlace
        place?.load(options.rootName ?? module.file.nameOfPath.withoutLua)
        root = try runtime.load(module, modules: modules)
        place?.load(root.name)
        self.modules = runtime.modules
    }

    init(_ root: WorkflowDefinition, in runtime: FlowRuntime) {
        source = .script
        self.runtime = runtime
        self.root = root
        firstRandom = RandomState(runtime)
        modules = runtime.modules
    }

    /// Reloads the flow's files. Workflows made from now on use the new code.
    ///
    /// ```swift
    /// try flow.reload()
    /// host.update(workflow: flow.workflow(props: ["title": "Today"]))
    /// ```
    ///
    /// - Important: A host runs the old code until it is updated with a new workflow. It keeps its
    ///   nodes and their states: definitions with the same name are the same type of node.
    /// - Throws: As when the flow was first loaded; the flow is then unchanged.
    public mutating func reload() throws(FlowError) {
        let (module, modules) = try source.read(
            upTo: runtime.options.limits.sourceLimit, libraries: runtime.options.libraries)
        let random = randomState
        take(try runtime.load(module, modules: modules))
        firstRandom = random
    }

    var loadedFiles: (root: FlowModules.Module, modules: FlowModules)? { modules.asLoaded }

    mutating func take(_ definition: WorkflowDefinition) {
        root = definition
        modules = runtime.modules
    }

    /// Puts this flow's files in force again, after a copy of it was reloaded and discarded.
    ///
    /// ```swift
    /// var trial = flow
    /// try trial.reload()
    /// if trial.version < flow.version { try flow.takeOver() } else { flow = trial }
    /// ```
    ///
    /// - Throws: A ``FlowError`` with the code `memory_limit` or `process_ended`.
    public func takeOver() throws(FlowError) { try runtime.use(modules) }

    /// The names of the flow's files that have been loaded so far, relative to its folder.
    public var files: [String] { modules.files }

    /// The number of bytes that its scripts use.
    package var memoryInUse: Int { runtime.vm.memoryInUse }

    /// The name of the flow's own file; `nil` for a definition in a script.
    package var rootFile: String? { loadedFiles?.root.file }

    package var rootPath: NodePath { NodePath([.init(name: name)]) }

    /// Reads a flow's own file, but no more than `limit` bytes of a source, and finds its modules.
    package static func files(
        at path: String, upTo limit: Int, libraries: [String]
    ) throws(FlowError) -> (root: FlowModules.Module, modules: FlowModules) {
        try Source.file(path).read(upTo: limit, libraries: libraries)
    }

    package var texts: [String: [UInt8]] { modules.texts }

    /// A hash of the ``files`` in sixteen digits, which tells whether a recording belongs to this
    /// flow.
    ///
    /// - Warning: It does not protect against forgery.
    public var hash: String { modules.hash }

    package static func hash(of texts: [String: [UInt8]]) -> String {
        ModuleLoader.hash(of: texts)
    }

    /// The hash of each file.
    public var fileHashes: [String: String] { modules.hashes }

    /// The hash of each file's code, which ignores comments, blanks and line ends.
    public var codeHashes: [String: String] { modules.codeHashes }

    /// The state of the random number generator.
    public var randomState: RandomState {
        get { RandomState(runtime) }
        nonmutating set { newValue.restore(in: runtime) }
    }

    /// The name of the flow, which is its root definition's.
    public var name: String { root.name }

    var definitionLocation: FlowError.Location? { root.location }

    /// True if the flow's files have read the time at which the session began.
    package var dependsOnStartTime: Bool { runtime.showedStartTime }

    /// The version of the flow; 1 if it declares none.
    public var version: Int { root.version }

    package var migrates: Bool { root.migrate != nil }

    var access: LuaReference? { root.access }

    /// The action types of the root, sorted; empty if one function handles all.
    public var actionTypes: [String] { root.actionTypes }

    /// Makes a workflow that runs this flow with some props.
    ///
    /// ```swift
    /// host.update(workflow: flow.workflow(props: ["title": "Tomorrow"]))
    /// ```
    public func workflow(props: Value = [:]) -> LuaWorkflow {
        LuaWorkflow(props: props, definition: root, runtime: runtime)
    }

    /// Evaluates a Lua expression, such as `{ type = "add", text = "milk" }`.
    ///
    /// ```swift
    /// print(try flow.value(of: "#items + 1", where: [("items", ["milk", "tea"])]))  // 3
    /// ```
    ///
    /// It can use the libraries of the sandbox, but nothing of the flow.
    ///
    /// - Parameter names: Values that it may read, by name, such as `state`.
    /// - Throws: A ``FlowError``: `syntax`, `lua`, `not_plain`, or the code of an exceeded limit.
    public func value(
        of expression: String, where names: [(String, Value)] = []
    ) throws(FlowError) -> Value {
        try runtime.value(of: expression, names)
    }

    /// Evaluates a Lua expression of any number of values, as ``value(of:where:)`` does of one.
    ///
    /// ```swift
    /// print(try flow.values(of: "string.find('tea', 'a')"))  // [3, 3]
    /// ```
    ///
    /// - Parameter names: Values that it may read, by name, such as `state`.
    /// - Throws: As ``value(of:where:)``.
    public func values(
        of expression: String, where names: [(String, Value)] = []
    ) throws(FlowError) -> [Value] {
        try runtime.values(of: expression, names)
    }

    /// The action as the node at `path` gets it: a record with a `type` if the node is scripted.
    ///
    /// - Throws: A ``FlowError`` with the code `bad_action`.
    package func action<Root>(
        _ action: Value, at path: NodePath, in host: WorkflowHost<Root>
    ) throws(FlowError) -> Value {
        guard host.sink(of: LuaAction.self, at: path) != nil else { return action }
        return try LuaAction(action).value
    }

    /// Sends an action, as a plain value, to the node at `path` in a host that runs this flow.
    ///
    /// ```swift
    /// if case .failed(let failure) = try flow.send("brew", to: "tea", in: host) {
    ///     print(failure.error)  // tea.lua:12: the cup is full (in apply.brew of tea)
    /// }
    /// ```
    ///
    /// The node may be scripted, or native and registered with its type of actions.
    ///
    /// - Important: Failures of the action itself are not thrown but returned as the outcome.
    /// - Parameters:
    ///   - action: The action; for a scripted node its type as a string is enough.
    ///   - path: The path of the node.
    ///   - host: The host whose tree has the node.
    ///   - source: The origin for the log; see ``AppliedAction/source``.
    /// - Returns: The outcome, as from a sink of the node.
    /// - Throws: A ``FlowError`` if the value is not an action or the tree has no such node.
    public func send<Root>(
        _ action: Value, to path: NodePath, in host: WorkflowHost<Root>, source: String = "client"
    ) throws(FlowError) -> SendOutcome {
        if let sink = host.sink(of: LuaAction.self, at: path) {
            let action = try LuaAction(action, source: source)
            return sink.send(action, isolation: #isolation)
        }
        guard host.hasNode(at: path) else { throw FlowError(.noNodeInTree, path) }
        for native in runtime.natives.values {
            let send: (() -> SendOutcome)?
            do {
                send = try native.action(action, path, host)
            } catch {
                throw FlowError(.unfitAction, path, codingReason(error))
            }
            guard let send else { continue }
            runtime.options.onAction?(AppliedAction(node: path, action: action, source: source))
            return send()
        }
        throw FlowError(.noActionsFromOutside, path)
    }
}

extension LuaFlow.Source {
    func read(
        upTo limit: Int, libraries: [String]
    ) throws(FlowError) -> (FlowModules.Module, FlowModules) {
        let path: String
        switch self {
        case .script: throw FlowError(.definedByScript)
        case .text(let module, let modules): return (module, modules)
        case .file(let file): path = file
        }
        guard let resolved = resolvedPath(path) else { throw .missingFlow(path) }
        let source: [UInt8]
        switch readFile(resolved, takingUpTo: limit) {
        case .success(let bytes): source = bytes
        case .failure(let failure):
            if case .success = fileNames(in: resolved) { throw .missingFlow(path) }
            throw FlowError(.unreadableFlow, path, failure.reason)
        }
        let folder = resolved.split(separator: "/").dropLast().joined(separator: "/")
        guard
            let modules = FlowFolder(path: "/" + folder, libraries: libraries)?.modules(upTo: limit)
        else { throw FlowError(.unreadableFolder, path) }
        return (FlowModules.Module(file: path.nameOfPath, source: source), modules)
    }
}
