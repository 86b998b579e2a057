public import PlainValue
import Workflow
public import WorkflowLua

extension FlowSession {
    /// Sends an action to the root, or to the node at `path`.
    ///
    /// While an earlier step is shown, the steps after it are given up: the session goes on from there.
    ///
    /// - Throws: The `FlowError` that made the action, or the pass that it caused, fail. A failed action has
    ///   been rolled back.
    public func send(_ action: Value, to path: String? = nil) throws(FlowError) {
        guard let flow, let tree else {
            throw noteDropped(
                path ?? "", action, FlowError(.unknownNode, "the session is closed"))
        }
        guard let path = NodePath(path ?? NodePath([.init(name: flow.name)]).description) else {
            throw noted(
                FlowError(.unknownNode, "'\(path ?? "")' is not the path of a node"))
        }
        let outcome: SendOutcome
        settle()
        failure = nil
        cause = nil
        do throws(FlowError) {
            outcome = try flow.send(action, to: path, in: tree.host)
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
    /// - Throws: A `FlowError` with the code `bad_action` if `sink` is none, otherwise as ``send(_:to:)``.
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
    ///
    /// - Throws: The `FlowError` that made the pass fail. If that is the root's own `changed`, the root has its old props;
    ///   otherwise it has taken the new ones, and the last good rendering stays.
    public func update(props: Value) throws(FlowError) {
        settle()
        guard let flow, let tree else {
            throw noted(FlowError(.misuse, "the session is closed"))
        }
        guard props != tree.props else { return }
        begin(.props(props))
        log.add(.props(props))
        cause = log.sequence
        tree.update(props: props, of: flow)
        if let failure { throw failure }
    }

    /// Plays an input as if it had come from outside now: an action, new props, or what becomes of a worker.
    ///
    /// - Throws: The `FlowError` that made it fail; for a worker that is not declared, one with the code
    ///   `unknown_worker`.
    public func play(_ input: FlowInput.Kind) throws(FlowError) {
        switch input {
        case .action(let action, let node): try send(action, to: node)
        case .props(let props): try update(props: props)
        case .worker(let news): try play(news)
        }
    }

    private func play(_ news: WorkerNews) throws(FlowError) {
        guard let flow, let tree else {
            throw noted(FlowError(.misuse, "the session is closed"))
        }
        settle()
        failure = nil
        switch flow.emit(news, in: tree.host) {
        case .failed(let failed)?: throw failure ?? FlowError(failed)
        case .dropped?, nil:
            let name = news.key.isEmpty ? news.worker : "\(news.worker):\(news.key)"
            throw noted(
                FlowError(.unknownWorker, "'\(news.node)' runs no worker '\(name)' now"))
        case .applied?, .queued?: return
        }
    }

    /// Sends an input of the timeline again, of which nobody is told.
    ///
    /// - Returns: Why it failed, if it did.
    @discardableResult
    func playBack(_ input: FlowInput, in tree: FlowTree) -> FlowError? {
        guard let flow else { return nil }
        log.inputTime = input.milliseconds
        failure = nil
        switch input.kind {
        case .action(let action, let node):
            guard let path = NodePath(node) else { break }
            do throws(FlowError) {
                _ = try flow.send(action, to: path, in: tree.host)
            } catch {
                failure = error
            }
        case .worker(let news): _ = flow.emit(news, in: tree.host)
        case .props(let props): tree.update(props: props, of: flow)
        }
        tree.step += 1
        return failure
    }

    /// The plain value of a Lua expression, such as `{ type = "add", text = "milk" }`.
    ///
    /// It sees the libraries of the sandbox, and read-only `rendering`, `props`, `state` (of the root), besides the values
    /// that are given; it can change nothing.
    public func value(
        of expression: String, where names: [(String, Value)] = []
    ) throws(FlowError) -> Value {
        reviveFlow()
        guard let flow, let tree else { throw FlowError(.misuse, "the session is closed") }
        let known: [(String, Value)] = [
            ("rendering", rendering), ("props", tree.props), ("state", state() ?? .null),
        ]
        return try flow.value(of: expression, where: known + names)
    }

    // MARK: Refusals

    private func noteDropped(_ path: String, _ action: Value, _ error: FlowError) -> FlowError {
        log.add(
            .dropped(
                node: path, action: action,
                reason: tree == nil ? "session_closed" : "no_such_node"))
        return noted(error)
    }
}
