import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// Finds the origin of a value; see ``ValueOrigin``.
struct OriginSearch {
    typealias Finding = ValueOrigin.Finding

    /// A node whose rendering contains the value.
    struct Hop {
        let node: NodePath
        /// The index of the path component from which the path continues in its rendering.
        let step: Int
        /// The line that wrote the value, or a child's rendering, there.
        let location: FlowError.Location

        func rest(of path: ValuePath) -> ValuePath {
            ValuePath(Array(path.components.dropFirst(step)))
        }
    }

    /// A step that wrote to the state of a node.
    struct StepOfNode: Hashable {
        let step: Int
        let node: NodePath
    }

    /// The maximum number of levels of props that are followed to other props.
    static let mostLevels = 8
    /// The maximum number of parts of a list or record in the findings.
    static let mostParts = 4

    let past: Past
    var session: any FlowPast { past.session }
    var flow: LuaFlow { past.flow }
    /// The code whose lines are in the findings.
    var code: LuaFlow
    let secrets: SecretTexts
    var findings: [Finding] = []
    /// The nodes whose renderings contain the value, root first.
    var hops: [Hop] = []
    var path = ValuePath()
    /// The checkpoint before the step, unless it is the beginning, and the one after it.
    var before: FlowCheckpoint?
    var after: FlowCheckpoint
    /// The maximum number of writes that are followed, one after the other, through what they read.
    var depth = 0
    var followed = 0
    /// The values that are being followed, each read by the write of the one before.
    var chain: [String] = []
    /// The paths of states that are explained together, by node, and the plays that they share.
    var together: [NodePath: [ValuePath]] = [:]
    var shared: [StepOfNode: Plays] = [:]
    /// The values that were read and are not followed, as no more is asked.
    var unfollowed: [String] = []

    /// - Parameter value: The value to explain, in a tree.
    init(
        in past: Past, secrets: SecretTexts, _ value: (WorkflowHost<LuaWorkflow>) -> Value?
    ) throws(FlowError) {
        self.past = past
        code = past.flow
        self.secrets = secrets
        if let change = try past.lastChange(through: past.step, value) {
            assert(change.before < change.step)
            let both = try past.checkpoints(at: [change.before, change.step])
            (before, after) = (both[0], both[1])
        } else {
            after = try past.checkpoints(at: [0])[0]
        }
    }

    /// Finds the origin of the value at a path of the rendering.
    static func origin(
        of path: ValuePath, in past: Past, secrets: SecretTexts, through depth: Int = 0
    ) throws(FlowError) -> ValueOrigin {
        guard let value = past.rendering[path] else { throw FlowError(.noValue, path) }
        var search = try OriginSearch(in: past, secrets: secrets) { $0.rendering.value[path] }
        guard try past.outcome(at: .rendering(path), search.after) == .some(value) else {
            throw FlowError(.otherValue, search.after.step, path)
        }
        search.depth = depth
        return try search.find(path, value)
    }

    /// Finds why a Lua node was last rendered.
    static func origin(
        of node: NodePath, in past: Past, secrets: SecretTexts
    ) throws(FlowError) -> ValueOrigin {
        func look(_ tree: WorkflowHost<LuaWorkflow>) -> Value? {
            guard let props = past.flow.props(at: node, in: tree) else { return nil }
            return [props, past.value(at: .state(node, ValuePath()), in: tree) ?? .null]
        }
        let isThere =
            past.step == past.session.step
            ? past.session.shownTree.flatMap(look) != nil
            : try past.session.rehearse(at: past.step) { look($0.host) } != nil
        guard isThere else { throw FlowError(.noScriptedNode, node) }
        var search = try OriginSearch(in: past, secrets: secrets, look)
        try search.findRender(of: node)
        return ValueOrigin(
            path: node.description, value: nil, since: search.after.step, findings: search.findings)
    }

    mutating func find(_ path: ValuePath, _ value: Value) throws(FlowError) -> ValueOrigin {
        let tracer = WriteTracer(path)
        let root = flow.rootPath
        (hops, code) = try past.with(after, tracing: tracer.trace) {
            (rehearsal) throws(FlowError) in
            let code = try rehearsal.code
            return (hops(in: tracer, of: root, rehearsal.host, code), code)
        }
        self.path = path
        guard let last = hops.last else { throw FlowError(.noScript) }
        add(.rendered, "\(last.node)", at: last.location)
        try addCauses(
            of: .rendering(path), at: last.node, .rendering(last.rest(of: path)), level: 0)
        return finish(path.description, value, at: path)
    }

    /// Adds the changes that made a node render.
    mutating func findRender(of node: NodePath) throws(FlowError) {
        let now = after.node(at: node)
        let parent = node.parent
        guard let before, let then = before.node(at: node) else {
            let tracer = WriteTracer(ValuePath(), props: node)
            let location = try past.with(after, tracing: tracer.trace) { _ in tracer.lineOfProps }
            add(.rendered, parent.components.isEmpty ? "\(node)" : "\(parent)", at: location)
            add(.note, "it was rendered for the first time then")
            addSender(ofStep: after.step)
            return
        }
        let (old, new) = (then.inputs ?? .null, now?.inputs ?? .null)
        for change in new.differences(to: old).prefix(Counterfactuals.most) {
            guard !parent.components.isEmpty else {
                add(.cause, change.path.description.below("props"))
                addSender(ofStep: after.step)
                continue
            }
            try addProps(change.path, of: node)
            let child = NodePath([.init(name: parent.name)] + node.components.suffix(1))
            try addCauses(
                of: .props(node, change.path), at: parent, .props(child, change.path), level: 0)
        }
        let state = (then.state?.value ?? .null, now?.state?.value ?? .null)
        for change in state.1.differences(to: state.0).prefix(Counterfactuals.most) {
            let cause = PastChange(node: node, change: change)
            add(.cause, subject(of: cause))
            try addWrite(of: change.path, in: node, level: 0)
        }
    }

    // MARK: The rendering

    /// The nodes whose renderings contain the value, root first, with the lines that wrote it.
    func hops(
        in tracer: WriteTracer, of root: NodePath, _ tree: WorkflowHost<LuaWorkflow>,
        _ code: LuaFlow
    ) -> [Hop] {
        let ends = tracer.ends.filter { $0.phase == .render }
        var hops: [Hop] = []
        var path = root
        var step = 0
        while let end = ends.last(where: { $0.node == path }) {
            let writer = end.writers[step]
            hops.append(
                Hop(
                    node: path, step: step,
                    location: code.start(of: writer.location ?? end.location)))
            guard let (view, next) = writer.child,
                let child = ends.lazy.map(\.node).first(where: {
                    code.renderingView(at: $0, in: tree) == view
                }),
                // A process that is not to be trusted can say that renderings contain each other.
                !hops.contains(where: { $0.node == child && $0.step == next })
            else { break }
            (path, step) = (child, next)
        }
        return hops
    }

    // MARK: Findings

    mutating func add(
        _ kind: Finding.Kind, _ subject: String, detail: String = "", at input: FlowInput
    ) {
        findings.append(Finding(kind, subject, detail: detail, milliseconds: input.milliseconds))
    }

    mutating func add(
        _ kind: Finding.Kind, _ subject: String, at location: FlowError.Location? = nil,
        detail: String = ""
    ) {
        let source = detail.isEmpty ? location.flatMap { code.source(at: $0) } ?? "" : detail
        findings.append(Finding(kind, subject, at: location, detail: source))
    }

    func shown(_ value: Value, at path: ValuePath = ValuePath()) -> Value {
        secrets.hiding(value, at: path)
    }
}

extension NodePath {
    var name: String { components.last?.name ?? "" }
}

extension String {
    /// The path of a field `name` extended by this path.
    func below(_ name: String) -> String {
        isEmpty ? name : first == "[" ? name + self : "\(name).\(self)"
    }
}
