import LuaVM
import PlainValue
import WorkerKit
import Workflow

extension FlowRuntime {
    /// `context:run(worker, input, { key, on_output, on_error, on_finish })`
    func runWorker(_ call: borrowing LuaCall) throws(FlowError) -> LuaArgument? {
        let caller = try currentCall("run", in: .render, "render")
        try checkReceiver(call, "run", of: caller)
        guard let name = call.string(at: 2) else {
            throw FlowError(.badWorkerName, call.type(at: 2).described)
        }
        guard let context = caller.renderContext else {
            throw FlowError(.misplaced, "run", "render", HostAPI.help(forMisplaced: "run"))
        }
        _ = try FlowNames.checked(name, "the name of a worker")
        let input = call.type(at: 3) == .nil ? emptyProps : try value(call, at: 3, root: "input")
        let options = try WorkerOptions(call, caller: caller)
        let id = Name(options.key.isEmpty ? name : "\(name):\(options.key)")
        let location = try noteWorker(id, name, options, call, caller)
        let key = options.key
        let worker = try worker(name, key: key, id: id, input: input, of: caller.node)
        if name.hasPrefix("clock."), options.isUnheard {
            note("nothing comes of '\(name)': name an action with on_output", at: location)
        }
        worker.asEvents().running(in: context, key: key) { [unowned self] event in
            try answer(event, of: name, key: key, options, caller: caller, location)
        }
        return .none
    }

    private func noteWorker(
        _ id: Name, _ name: String, _ options: WorkerOptions, _ call: borrowing LuaCall,
        _ caller: NodeCall
    ) throws(FlowError) -> FlowError.Location? {
        let location = call.callerLocation.map(FlowError.Location.init)
        guard let first = caller.node.current.workers.updateValue(location, forKey: id) else {
            return location
        }
        var error = FlowError(
            options.key.isEmpty ? .twins : .twinsWithKey, "workers", name, "worker of one name",
            options.key)
        if let first { error.notes.append("the first is at \(first.file):\(first.line)") }
        throw error
    }

    /// Makes a worker. Its work is looked up and checked only when its input has changed.
    private func worker(
        _ name: String, key: String, id: Name, input: Value, of node: ScriptedNode
    ) throws(FlowError) -> ScriptedWorker {
        if let known = node.cache.works[id], known.input == input { return known }
        do throws(WorkerError) {
            let path = NodePath(node.place.path.components + [.init(name: name, key: key)])
            let work = try options.workers.work(of: name, input: input, at: path)
            let worker = ScriptedWorker(
                nodeName: name, input: input, typeName: nodeType("worker " + name), work: work)
            node.cache.works[id] = worker
            return worker
        } catch {
            var failure = FlowError(error)
            if failure.code == .badInput, failure.help == nil {
                failure.help = "workflow-run plugins \(name) shows its input"
            }
            throw failure
        }
    }

    /// The action that a node makes from an event of one of its workers, if any.
    private func answer(
        _ event: WorkerEvent<WorkerOutput, any Error>, of name: String, key: String,
        _ options: WorkerOptions, caller: NodeCall, _ location: FlowError.Location?
    ) throws(FlowError) -> LuaAction? {
        let source = "worker:\(name)\(key.isEmpty ? "" : ":" + key)"
        let event = event.map(output: \.value, failure: { WorkerError(describing: $0) })
        self.options.onWorker(
            WorkerNews(node: caller.path, worker: name, key: key, event: event))
        switch event {
        case .output(let output):
            return try options.onOutput?.action(
                for: output, field: "output", source: source, runtime: self, caller: caller)
        case .started, .cancelled, .abandoned: return nil
        case .finished:
            return try options.onFinish?.action(
                for: .null, field: nil, source: source, runtime: self, caller: caller)
        case .failed(let error):
            guard let handler = options.onError else {
                var failure = FlowError(.failedWorker, name, error.message)
                if let help = error.help { failure.help = help }
                failure.node = caller.path
                failure.location = location
                failure.excerpt = location.flatMap { modules.excerpt(at: $0) }
                throw failure
            }
            return try handler.action(
                for: error.value, field: "error", source: source, runtime: self, caller: caller)
        }
    }
}

/// The third argument of `context:run`.
private struct WorkerOptions {
    private(set) var key = ""
    private(set) var onOutput: OutputHandler?
    private(set) var onError: OutputHandler?
    private(set) var onFinish: OutputHandler?
    var isUnheard: Bool { onOutput == nil && onFinish == nil }

    init(_ call: borrowing LuaCall, caller: NodeCall) throws(FlowError) {
        guard call.type(at: 4) != .nil else { return }
        guard call.type(at: 4) == .table else {
            throw FlowError(.badWorkerOptions, call.type(at: 4).described)
        }
        let known = ["key", "on_error", "on_finish", "on_output"]
        for field in try call.options(at: 4, of: "context:run", known: known) {
            switch field.key {
            case .name("key"): key = try nodeKey(field, of: "a worker")
            case .name("on_output"):
                onOutput = try OutputHandler(field, name: "on_output", of: caller)
            case .name("on_error"): onError = try OutputHandler(field, name: "on_error", of: caller)
            case .name("on_finish"):
                onFinish = try OutputHandler(field, name: "on_finish", of: caller)
            default: throw try unknownOption(field.key, of: "context:run", known: known)
            }
        }
    }
}

extension FlowError {
    /// Makes the error of a worker that a flow may not, or cannot, declare.
    fileprivate init(_ error: WorkerError) {
        let code: Code =
            switch error.code {
            case "unknown_worker": .unknownWorker
            case "bad_input": .badInput
            case "not_granted": .notGranted
            default: .workerFailed
            }
        self.init(code, error.message, help: error.help)
    }
}
