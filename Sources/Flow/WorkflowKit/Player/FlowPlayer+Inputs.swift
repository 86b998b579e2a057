import PlainValue
import Workflow
import WorkflowLua

extension FlowPlayer {
    /// Sends an action to the node at a path, by default to the root.
    ///
    /// While an earlier step is shown, the steps after it are given up.
    func send(_ action: Value, to path: NodePath? = nil) throws(FlowError) {
        guard let flow, let tree else {
            throw dropped(action, path, FlowError(.unknownNode, "the session is closed"))
        }
        let path = path ?? flow.rootPath
        let outcome: SendOutcome
        settle()
        clock.cause = nil
        do throws(FlowError) {
            outcome = try flow.send(action, to: path, in: tree.host)
        } catch {
            if error.code == .unknownNode { throw dropped(action, path, error) }
            throw reported(error)
        }
        switch outcome {
        case .applied, .queued: return
        case .failed(let failed): throw FlowError(failed)
        case .dropped:
            throw FlowError(.unknownNode, "there is no node '\(path)' in the tree")
        }
    }

    /// The input that sending an action makes. A node in a script gets an action with its type as a
    /// field, also if only the type was given.
    ///
    /// - Parameter path: The path of the node; by default that of the root.
    func input(of action: Value, to path: NodePath?) throws(FlowError) -> FlowInput.Kind {
        settle()
        guard let flow, let tree else {
            throw dropped(action, path, FlowError(.unknownNode, "the session is closed"))
        }
        let path = path ?? flow.rootPath
        do throws(FlowError) {
            return .action(try flow.action(action, at: path, in: tree.host), node: path)
        } catch {
            throw reported(error)
        }
    }

    private func dropped(_ action: Value, _ path: NodePath?, _ error: FlowError) -> FlowError {
        log.add(
            .dropped(
                node: path ?? NodePath([]), action: action,
                reason: tree == nil ? "session_closed" : "no_such_node"))
        return reported(error)
    }

    /// Gives the root new props and renders if they differ.
    func update(props: Value) throws(FlowError) {
        settle()
        guard let flow, let tree else { throw reported(.closed) }
        guard props.record != nil || props.list?.isEmpty == true else {
            throw FlowError(
                .props, "the props must be a record, not \(props.kind)",
                help: "give each of them a name, as in { name = \"you\" }")
        }
        guard props != tree.props else { return }
        begin(.props(props))
        log.add(.props(props))
        clock.cause = log.sequence
        if case .failed(let failed) = tree.update(props: props, of: flow) {
            throw FlowError(failed)
        }
    }

    /// The path that a text says.
    func path(_ text: String) throws(FlowError) -> NodePath {
        guard let path = NodePath(text) else {
            throw reported(FlowError(.unknownNode, "'\(text)' is not the path of a node"))
        }
        return path
    }

    /// Does something that somebody asked for.
    ///
    /// - Parameter principal: Their name, which the inputs have that come of it; `nil` if it is not known.
    func act(
        as principal: String?, _ body: () throws(FlowError) -> Void
    ) throws(FlowError) {
        // What waits is of somebody else.
        if principal != nil { settle() }
        let outer = log.principal
        log.principal = principal
        defer { log.principal = outer }
        try body()
    }

    /// Plays an input again as it came: at its time, and of whom it was.
    func play(_ input: FlowInput) throws(FlowError) {
        let stoppedTime = log.stoppedTime
        log.stoppedTime = input.milliseconds
        // A session that goes on asks anew: what was refused then may be granted by now.
        if yard.isSilent { yard.workers?.again = input.refusals }
        yard.replayed = input.refusals
        yard.playsAgain = true
        defer {
            yard.playsAgain = false
            log.stoppedTime = stoppedTime
            yard.workers?.again = []
            yard.replayed = nil
        }
        try act(as: input.principal) { () throws(FlowError) in try take(input.kind) }
    }

    /// Plays an input as if it had come from outside now.
    ///
    /// - Parameter principal: The name of whoever it is of; `nil` if it is not known.
    func play(
        _ input: FlowInput.Kind, by principal: String? = nil
    ) throws(FlowError) {
        try act(as: principal) { () throws(FlowError) in try take(input) }
    }

    /// Gives the root new props as a step of their own, also if they are those that it has.
    func step(props: Value, by principal: String?) throws(FlowError) {
        if props == self.props { tree?.step += 1 } else { try play(.props(props), by: principal) }
    }

    /// Plays an input, of whoever it is now.
    func take(_ input: FlowInput.Kind) throws(FlowError) {
        switch input {
        case .action(let action, let node):
            try send(action, to: node)
        case .props(let props): try update(props: props)
        case .worker(let news): try play(news)
        }
    }

    private func play(_ news: WorkerNews) throws(FlowError) {
        guard flow != nil, let tree else { throw reported(.closed) }
        settle()
        yard.playsNews = true
        defer { yard.playsNews = false }
        switch flow?.emit(news, in: tree.host, evenIfEnded: yard.playsAgain) {
        case .failed(let failed)?: throw FlowError(failed)
        case .dropped?, nil:
            let name = news.key.isEmpty ? news.worker : "\(news.worker):\(news.key)"
            throw reported(
                FlowError(.unknownWorker, "'\(news.node)' runs no worker '\(name)' now"))
        case .applied?, .queued?: return
        }
    }

    /// Plays the inputs of an earlier life of the flow at the times that they came at; only the journal is told.
    func replay(
        _ inputs: [FlowInput], in tree: FlowTree, isLenient: Bool
    ) throws(FlowError) {
        for (index, input) in inputs.enumerated() {
            let start = FlowOptions.coarseClock()
            var refusal: FlowError?
            // A process that was ended from outside says nothing of the input: another one takes it.
            for _ in 1...3 {
                refusal = nil
                do throws(FlowError) { try play(input) } catch { refusal = error }
                guard tree.step == index, refusal?.code == .processEnded else { break }
            }
            // What was applied stays so, even if it cannot be rendered, and new props may be the old ones.
            guard tree.step == index else { continue }
            if let refusal, refusal.code == .processEnded { throw refusal }
            if let refusal, !isLenient {
                var error = FlowError(
                    .snapshot, "input \(index + 1), \(input.title), cannot be played again",
                    help: "the flow may have changed since: go on with what fits by isLenient")
                error.notes = [refusal.description]
                throw error
            }
            addStep(of: input, tree, since: start)
        }
        renderIfProcessEnded()
        log.isMuted = false
        logRunningWorkers(in: tree, startedAt: nil)
    }

    /// Whether the flow lets somebody do something, by what is shown.
    func allows(_ principal: FlowPrincipal, _ what: Value) throws(FlowError) -> Bool {
        if let flow, !flow.asksForAccess { return true }
        settle()
        reviveFlow()
        guard let flow, let tree else { throw reported(.closed) }
        do throws(FlowError) {
            return try flow.allows(
                principal.value, what, state: state() ?? .null, props: tree.props)
        } catch {
            throw reported(error)
        }
    }

    /// The plain value of a Lua expression, which sees `rendering`, `props`, `state` and the values
    /// that are given.
    func value(
        of expression: String, where names: [(String, Value)]
    ) throws(FlowError) -> Value {
        let (flow, known) = try seen()
        return try flow.value(of: expression, where: known + names)
    }

    func value(of expression: String) throws(FlowError) -> Value {
        try value(of: expression, where: [])
    }

    func value(
        of expression: String, seeing names: [(String, Value)]
    ) throws(FlowError) -> Value {
        reviveFlow()
        guard let flow else { throw .closed }
        return try flow.value(of: expression, where: names)
    }

    /// All values of such an expression.
    func values(
        of expression: String, where names: [(String, Value)]
    ) throws(FlowError) -> [Value] {
        let (flow, known) = try seen()
        return try flow.values(of: expression, where: known + names)
    }

    /// The flow, and what all expressions see.
    private func seen() throws(FlowError) -> (LuaFlow, [(String, Value)]) {
        reviveFlow()
        guard let flow, let tree else { throw .closed }
        return (
            flow, [("rendering", rendering), ("props", tree.props), ("state", state() ?? .null)]
        )
    }
}

extension FlowError {
    static let closed = FlowError(.misuse, "the session is closed")
}
