import LuaVM
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// Origins of values that are not in the rendering.
extension OriginSearch {
    /// - Parameter depth: The number of writes that are followed through the values that they read.
    static func origin(
        of subject: OriginSubject, in past: Past, secrets: SecretTexts, through depth: Int
    ) throws(FlowError) -> ValueOrigin {
        let root = past.flow.rootPath
        switch subject {
        case .rendering(let path):
            return try origin(of: path, in: past, secrets: secrets, through: depth)
        case .state(let path, let node):
            let node = node ?? root
            let name = "\(path.description.below("state")) of \(node)"
            var (value, search) = try search(
                .state(node, path), named: name, in: past, secrets, depth)
            try search.addOrigin(ofState: path, of: node, level: 0)
            return search.finish(name, value, at: path)
        case .props(let path, let node):
            let node = node ?? root
            let name = "\(path.description.below("props")) of \(node)"
            var (value, search) = try search(
                .props(node, path), named: name, in: past, secrets, depth)
            if node.parent.components.isEmpty {
                if search.before == nil { search.add(.sender, "props, as the session began") }
                search.addSender(ofStep: search.after.step)
            } else {
                try search.addProps(path, of: node)
                let child = NodePath([.init(name: node.parent.name)] + node.components.suffix(1))
                try search.addCauses(
                    of: .props(node, path), at: node.parent, .props(child, path), level: 0)
            }
            return search.finish(name, value, at: path)
        case .action(let path, let node):
            return try origin(ofAction: path, of: node, in: past, secrets, through: depth)
        }
    }

    /// The value of a place at the step from which is looked back, and a search for its origin.
    private static func search(
        _ place: Place, named name: String, in past: Past, _ secrets: SecretTexts, _ depth: Int
    ) throws(FlowError) -> (value: Value, search: OriginSearch) {
        func look(_ tree: WorkflowHost<LuaWorkflow>) -> Value? { past.value(at: place, in: tree) }
        let value =
            past.step == past.session.step
            ? past.session.shownTree.flatMap(look)
            : try past.session.rehearse(at: past.step) { look($0.host) }
        guard let value else { throw FlowError(.noSubject, name) }
        var search = try OriginSearch(in: past, secrets: secrets, look)
        search.depth = depth
        return (value, search)
    }

    /// The origin with the findings so far; the value is there since `step`, or that of the search.
    func finish(
        _ name: String, _ value: Value, at path: ValuePath, since step: Int? = nil
    ) -> ValueOrigin {
        var search = self
        search.addUnfollowed()
        return ValueOrigin(
            path: name, value: shown(value, at: path), since: step ?? after.step,
            findings: search.findings)
    }

    static func origin(
        ofExpression text: String, in frame: FlowFrame, past: Past, secrets: SecretTexts,
        through depth: Int, limits: LuaVM.Options
    ) throws(FlowError) -> ValueOrigin {
        assert(past.step == frame.step)
        let expressions = try FrameExpressions(limits: limits)
        let expression = try expressions.compile(text)
        var search = try OriginSearch(in: past, secrets: secrets) { _ in nil }
        search.depth = depth
        let tracer = FrameTracer(frame, expression, expressions, hiding: secrets)
        let played: Rehearsal.Played
        if frame.step == 0 {
            played = try past.session.replayBeginning(tracer.trace)
        } else {
            (played, search.code) = try past.session.rehearse(at: frame.step - 1) {
                (rehearsal) throws(FlowError) in
                let code = try rehearsal.code
                return (try rehearsal.advance(tracing: tracer.trace), code)
            }
        }
        if let failure = played.failure, failure.code == .interrupted { throw failure }
        let index = tracer.results.firstIndex { $0.call == frame.call }
        guard let index = index ?? (tracer.results.isEmpty ? nil : 0),
            let value = tracer.results[index].value
        else { throw FlowError(.noVariable, text, frame.step) }
        let result = tracer.results[index]
        if let writer = (result.writer ?? result.caller).map(search.code.start) {
            search.add(.write, "\(writer)", at: writer)
        }
        var detail = ""
        if case .apply = frame.phase,
            let applied = played.actions.last(where: { $0.node == frame.node })
        {
            detail = search.shown(applied.action).actionText
        }
        search.add(.call, "\(frame.phase) of \(frame.node)", detail: detail)
        let plays = Plays(in: past) { (rehearsal, input) throws(FlowError) in
            let tracer = FrameTracer(frame, expression, expressions, hiding: secrets)
            let played = try rehearsal.play(input, tracing: tracer.trace)
            if let failure = played.failure, failure.code == .interrupted { throw failure }
            // Where the frame is not reached, nothing is known of its variables.
            guard tracer.results.indices.contains(index) else { return [.impossible] }
            return [.value(tracer.results[index].value)]
        }
        try search.addReads(step: frame.step, of: text, plays)
        return search.finish(text, value, at: ValuePath(), since: frame.step)
    }

    private static func origin(
        ofAction path: ValuePath, of node: NodePath?, in past: Past, _ secrets: SecretTexts,
        through depth: Int
    ) throws(FlowError) -> ValueOrigin {
        let step = past.step
        guard step > 0 else { throw FlowError(.noAction) }
        var search = try OriginSearch(in: past, secrets: secrets) { _ in nil }
        search.depth = depth
        let (actions, code, tracer) = try past.session.rehearse(at: step - 1) {
            (rehearsal) throws(FlowError) in
            let tracer = WriteTracer(path) { [unowned rehearsal] in rehearsal.actionCount }
            let code = try rehearsal.code
            return (try rehearsal.advance(tracing: tracer.trace).actions, code, tracer)
        }
        search.code = code
        let index = actions.lastIndex {
            (node == nil || $0.node == node) && $0.action[path] != nil
        }
        guard let index, let value = actions[index].action[path] else {
            let owner = node.map { " of \($0)" } ?? ""
            throw FlowError(
                .noField, step, path.description.below("action"), owner,
                actions.map(\.action.actionText).joined(separator: ", "))
        }
        let action = actions[index]
        let name = "\(path.description.below("action")) of \(action.node)"
        search.add(
            .call, "\(FlowPhase.apply(action.action["type"]?.string)) of \(action.node)",
            detail: search.shown(action.action).actionText)
        search.addSenders(of: index, among: actions, tracer, step: step)
        if action.source != "client" {
            let plays = Plays(in: past) { (rehearsal, input) throws(FlowError) in
                let played = try rehearsal.play(input)
                guard try played.failure?.isOfTheCall() ?? true else { return [.impossible] }
                guard played.actions.indices.contains(index),
                    played.actions[index].node == action.node
                else { return [.failed] }
                return [.value(played.actions[index].action[path])]
            }
            try search.addReads(step: step, of: name, plays)
        }
        return search.finish(name, value, at: path, since: step)
    }
}
