import PlainValue
import Workflow
import WorkflowLua

extension FlowPlayer {
    /// Sends an action to a node, by default the root, and discards the steps after the shown one.
    func send(_ action: Value, to path: NodePath? = nil) throws(FlowError) {
        guard let flow, let tree else { throw dropped(action, path, .closed) }
        let path = path ?? flow.rootPath
        let outcome: SendOutcome
        settle()
        processing.cause = nil
        do throws(FlowError) {
            outcome = try flow.send(action, to: path, in: tree.host)
        } catch {
            if error.code == .unknownNode { throw dropped(action, path, error) }
            throw reported(error)
        }
        switch outcome {
        case .applied, .queued: return
        case .failed(let failed): throw FlowError(failed)
        case .dropped: throw FlowError(.noNodeInTree, path)
        }
    }

    /// The input that results from sending an action. An action for a scripted node always becomes
    /// a record with the field `type`, even if only the type was given.
    func input(of action: Value, to path: NodePath?) throws(FlowError) -> FlowInput.Kind {
        settle()
        guard let flow, let tree else { throw dropped(action, path, .closed) }
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

    func update(props: Value) throws(FlowError) {
        settle()
        guard let flow, let tree else { throw reported(.closed) }
        guard props.record != nil || props.list?.isEmpty == true else {
            throw FlowError(.badProps, props.kind)
        }
        guard props != tree.props else { return }
        begin(.props(props))
        log.add(.props(props))
        processing.cause = log.sequence
        if case .failed(let failed) = tree.update(props: props, of: flow) {
            throw FlowError(failed)
        }
    }

    /// Calls a function whose inputs get the name of a principal; `nil` if unknown.
    func act(as principal: String?, _ body: () throws(FlowError) -> Void) throws(FlowError) {
        // Queued news belong to another sender, so they are processed first.
        if principal != nil { settle() }
        let outer = log.principal
        log.principal = principal
        defer { log.principal = outer }
        try body()
    }

    func play(_ input: FlowInput) throws(FlowError) {
        let stoppedTime = log.stoppedTime
        log.stoppedTime = input.milliseconds
        // Only a player with silent workers refuses the same workers again. A live session asks its
        // plugins, which may grant now what they refused then.
        if workers.isSilent { workers.gated?.again = input.refusals }
        workers.replayed = input.refusals
        workers.playsAgain = true
        defer {
            workers.playsAgain = false
            log.stoppedTime = stoppedTime
            workers.gated?.again = []
            workers.replayed = nil
        }
        try act(as: input.principal) { () throws(FlowError) in try take(input.kind) }
    }

    func play(_ input: FlowInput.Kind, by principal: String? = nil) throws(FlowError) {
        try act(as: principal) { () throws(FlowError) in try take(input) }
    }

    func step(props: Value, by principal: String?) throws(FlowError) {
        if props == self.props { tree?.step += 1 } else { try play(.props(props), by: principal) }
    }

    /// Plays an input for the current sender.
    func take(_ input: FlowInput.Kind) throws(FlowError) {
        switch input {
        case .action(let action, let node): try send(action, to: node)
        case .props(let props): try update(props: props)
        case .worker(let news): try play(news)
        }
    }

    private func play(_ news: WorkerNews) throws(FlowError) {
        guard flow != nil, let tree else { throw reported(.closed) }
        settle()
        workers.playsNews = true
        defer { workers.playsNews = false }
        switch flow?.emit(news, in: tree.host, evenIfEnded: workers.playsAgain) {
        case .failed(let failed)?: throw FlowError(failed)
        case .dropped?, nil:
            let name = news.key.isEmpty ? news.worker : "\(news.worker):\(news.key)"
            throw reported(FlowError(.noRunningWorker, news.node, name))
        case .applied?, .queued?: return
        }
    }

    /// Replays the inputs after a snapshot at their original times; events go to the journal alone.
    func replay(_ inputs: [FlowInput], in tree: FlowTree, isLenient: Bool) throws(FlowError) {
        for (index, input) in inputs.enumerated() {
            let start = FlowOptions.coarseClock()
            var refusal: FlowError?
            // An end of the process from outside is not a result: another process takes the input.
            for _ in 1...3 {
                refusal = nil
                do throws(FlowError) { try play(input) } catch { refusal = error }
                guard tree.step == index, refusal?.code == .processEnded else { break }
            }
            // An input that failed in its render is a step by now. Equal props are counted below.
            guard tree.step == index else { continue }
            if let refusal, refusal.code == .processEnded { throw refusal }
            if let refusal, !isLenient {
                var error = FlowError(.unplayableInput, index + 1, input.title)
                error.notes = [refusal.description]
                throw error
            }
            addStep(of: input, tree, since: start)
        }
        renderIfProcessEnded()
        log.isMuted = false
        logRunningWorkers(in: tree, startedAt: nil)
    }

    func allows(_ principal: Principal, _ what: Value) throws(FlowError) -> Bool {
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

    /// The plain value of a Lua expression over `rendering`, `props`, `state` and given values.
    func value(of expression: String, where names: [(String, Value)]) throws(FlowError) -> Value {
        let (flow, known) = try seen()
        return try flow.value(of: expression, where: known + names)
    }

    func value(of expression: String) throws(FlowError) -> Value {
        try value(of: expression, where: [])
    }

    func value(of expression: String, seeing names: [(String, Value)]) throws(FlowError) -> Value {
        reviveFlow()
        guard let flow else { throw .closed }
        return try flow.value(of: expression, where: names)
    }

    func values(
        of expression: String, where names: [(String, Value)]
    ) throws(FlowError) -> [Value] {
        let (flow, known) = try seen()
        return try flow.values(of: expression, where: known + names)
    }

    private func seen() throws(FlowError) -> (LuaFlow, [(String, Value)]) {
        reviveFlow()
        guard let flow, let tree else { throw .closed }
        return (
            flow, [("rendering", rendering), ("props", tree.props), ("state", state() ?? .null)]
        )
    }
}
