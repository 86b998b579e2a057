public import PlainValue
import Workflow
public import WorkflowLua

/// A flow that is being played: its tree, and the log of what happens in it.
///
/// ```swift
/// let session = try await FlowSession.open(.file("todo.lua")) { event in print(event.record.json) }
/// try await session.send(["type": "add", "text": "milk"])
/// print(await session.rendering["title"])
/// ```
///
/// An actor: every call into the flow happens on it, one at a time, and a call returns when all that it caused
/// at once is done. A session ends with ``close()`` or when it is released.
public actor FlowSession {
    private let log: FlowEventLog
    private let options: FlowOptions
    private var flow: LuaFlow?
    private var host: WorkflowHost<LuaWorkflow>?
    private var pass = 0
    /// The first action applied since the last request came in; what the next rendering is caused by.
    private var cause: Int?
    /// The outputs since they were last asked for.
    private var newOutputs: [Value] = []
    /// The failure of the action that is being sent.
    private var failure: FlowError?

    /// Loads a flow and renders it for the first time.
    ///
    /// - Parameter onEvent: Called on the session with each event, the first being `ready`.
    /// - Throws: The ``FlowError`` that keeps the flow from loading or from rendering for the first time.
    public static func open(
        _ source: FlowSource, options: FlowOptions = FlowOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws(FlowError) -> FlowSession {
        let session = FlowSession(options: options, onEvent: onEvent)
        try await session.start(source)
        return session
    }

    /// A session that plays nothing yet; see ``start(_:)``.
    ///
    /// - Parameter onEvent: Called on the session with each event.
    public init(
        options: FlowOptions = FlowOptions(),
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) {
        self.options = options
        log = FlowEventLog(now: options.now, onEvent: onEvent)
    }

    /// Loads a flow and renders it for the first time; called once.
    ///
    /// - Throws: The ``FlowError`` that keeps the flow from loading or from rendering for the first time; it is
    ///   an event too.
    public func start(_ source: FlowSource) throws(FlowError) {
        do throws(FlowError) {
            try play(source)
        } catch {
            // The first pass has reported its failure already.
            throw failure ?? noted(error)
        }
    }

    private func play(_ source: FlowSource) throws(FlowError) {
        let flow = try load(source)
        self.flow = flow
        log.add(.ready(flow: flow.name, session: options.sessionName))
        let host = WorkflowHost(
            workflow: flow.workflow(props: options.props),
            configuration: HostConfiguration(
                maximumDepth: options.maximumDepth,
                onReport: { [unowned self] report in
                    assumeIsolated { $0.note(report) }
                }))
        if let first = host.renderFailures.first {
            host.shutDown()
            throw (first.error as? FlowError) ?? FlowError(.host, "\(first.error)")
        }
        self.host = host
        noteRendering(host.rendering.value)
        host.onRendering = { [unowned self] rendering in
            let value = rendering.value
            assumeIsolated { $0.noteRendering(value) }
        }
        host.onOutput = { [unowned self] output in
            assumeIsolated { $0.note(output: output) }
        }
    }

    private func load(_ source: FlowSource) throws(FlowError) -> LuaFlow {
        var natives = NativeWorkflows()
        options.registerNativeWorkflows(&natives)
        let now = options.now
        let configuration = FlowConfiguration(
            limits: options.limits, nativeWorkflows: natives,
            now: { Double(now()) / 1000 },
            onPrint: { [log] line in
                log.add(.log(level: .info, message: line.message, location: line.location))
            },
            onAction: { [unowned self] action in
                assumeIsolated { $0.note(action) }
            },
            checksRenders: options.checksRenders)
        switch source {
        case .file(let path):
            return try LuaFlow(file: path, configuration: configuration)
        case .text(let text, let name, let modules):
            return try LuaFlow(
                source: text, name: name, modules: FlowModules(modules),
                configuration: configuration)
        }
    }

    // MARK: What is to be seen

    /// The last good rendering; `null` after ``close()``.
    public var rendering: Value { host?.rendering.value ?? .null }

    /// The name of the flow.
    public var name: String { flow?.name ?? "" }

    /// The types of action that the root knows, sorted; empty if one function takes them all.
    public var actionTypes: [String] { flow?.actionTypes ?? [] }

    /// The outputs of the root since this was last called.
    public func takeOutputs() -> [Value] {
        let outputs = newOutputs
        newOutputs = []
        return outputs
    }

    // MARK: Requests

    /// Sends an action to the root, or to the node at `path`.
    ///
    /// - Throws: The ``FlowError`` that made the action, or the pass that it caused, fail. A failed action has
    ///   been rolled back.
    public func send(_ action: Value, to path: String? = nil) throws(FlowError) {
        guard let flow, let host else {
            throw noteDropped(
                path ?? "", action, FlowError(.unknownNode, "the session is closed"))
        }
        cause = nil
        failure = nil
        guard let path = NodePath(path ?? NodePath([.init(name: flow.name)]).description) else {
            throw noted(
                FlowError(.unknownNode, "'\(path ?? "")' is not the path of a node"))
        }
        let outcome: SendOutcome
        do throws(FlowError) {
            outcome = try flow.send(action, to: path, in: host)
        } catch {
            if error.code == .unknownNode { throw noteDropped(path.description, action, error) }
            throw noted(error)
        }
        switch outcome {
        case .applied, .queued: return
        case .failed(let failed): throw failure ?? FlowError(failed)
        case .dropped:
            throw FlowError(.unknownNode, "there is no node '\(path)' in the tree")
        }
    }

    /// Sends a sink as it stands in a rendering, with fields added to its action.
    ///
    /// - Throws: A ``FlowError`` with the code `bad_action` if `sink` is none, otherwise as ``send(_:to:)``.
    public func send(sink: Value, with fields: Value.Record = [:]) throws(FlowError) {
        guard let target = sink["$sink"], let path = target["node"]?.string,
            case .record(var action)? = target["action"]
        else {
            throw noted(
                FlowError(
                    .badAction, "a sink has the form {\"$sink\": {\"node\": …, \"action\": {…}}}",
                    help: "send a sink of the rendering as it stands"))
        }
        for (name, value) in fields where name != "type" { action[name] = value }
        try send(.record(action), to: path)
    }

    /// Gives the root new props and renders if they differ.
    public func update(props: Value) {
        guard let flow, let host else { return }
        cause = nil
        host.update(workflow: flow.workflow(props: props))
    }

    /// The plain value of a Lua expression, such as `{ type = "add", text = "milk" }`.
    ///
    /// It sees the libraries of the sandbox and nothing of the flow.
    public func value(of expression: String) throws(FlowError) -> Value {
        guard let flow else { throw FlowError(.misuse, "the session is closed") }
        return try flow.value(of: expression)
    }

    /// Adds an event of the caller's own to the session's order.
    public func record(_ kind: FlowEvent.Kind) { log.add(kind) }

    /// Ends the tree; later actions are dropped.
    public func close() {
        host?.shutDown()
        host = nil
        flow = nil
    }

    // MARK: What happens

    private func note(_ action: AppliedAction) {
        log.add(.action(action.action, node: action.node, source: action.source))
        if cause == nil { cause = log.sequence }
    }

    private func noteRendering(_ value: Value) {
        pass += 1
        log.add(.rendering(value, actions: actionTypes, pass: pass, cause: cause))
    }

    private func note(output: Value) {
        newOutputs.append(output)
        log.add(.output(output))
    }

    private func note(_ report: WorkflowReport) {
        switch report {
        case .failure(let failed): failure = noted(FlowError(failed))
        case .dropped(let path, let reason):
            log.add(
                .dropped(
                    node: path.description, action: nil,
                    reason: reason == .nodeEnded ? "node_ended" : "session_closed"))
        default: log.add(.log(level: .warning, message: report.description, location: nil))
        }
    }

    private func noted(_ error: FlowError) -> FlowError {
        log.add(.error(error))
        return error
    }

    private func noteDropped(_ path: String, _ action: Value, _ error: FlowError) -> FlowError {
        log.add(
            .dropped(
                node: path, action: action,
                reason: host == nil ? "session_closed" : "no_such_node"))
        return noted(error)
    }
}

extension FlowError {
    /// The flow error behind a failure of the tree.
    init(_ failure: WorkflowFailure) {
        if var own = failure.error as? FlowError {
            if own.node == nil { own.node = failure.path.description }
            self = own
        } else {
            self.init(.host, "\(failure.error)")
            node = failure.path.description
        }
    }
}
