import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// The values that the writing calls read.
extension OriginSearch {
    static let mostWrites = 64

    /// Adds the values that the writer of a path of a state read, and their writers as asked.
    mutating func addReads(
        ofWriteOf path: ValuePath, in node: NodePath, step: Int
    ) throws(FlowError) {
        let (plays, index) = plays(ofWriteOf: path, in: node, step: step)
        try addReads(step: step, of: name(of: path, in: node), plays, at: index)
    }

    /// The plays of a step that wrote a path of a state, and the index of the path in them.
    private mutating func plays(
        ofWriteOf path: ValuePath, in node: NodePath, step: Int
    ) -> (Plays, index: Int) {
        let place = StepOfNode(step: step, node: node)
        let index = together[node]?.firstIndex(of: path)
        if let index, let plays = shared[place] { return (plays, index) }
        let paths = index == nil ? [path] : together[node] ?? []
        let plays = Plays(in: past, count: paths.count) {
            [past] (rehearsal, input) throws(FlowError) in
            func all(_ outcome: Reads.Outcome) -> [Reads.Outcome] {
                Array(repeating: outcome, count: paths.count)
            }
            if let failure = try rehearsal.play(input).failure {
                return all(try failure.isOfTheCall() ? .failed : .impossible)
            }
            guard let state = past.value(at: .state(node, ValuePath()), in: rehearsal.host) else {
                return all(.impossible)
            }
            return paths.map { .value(state[$0]) }
        }
        if index != nil { shared[place] = plays }
        return (plays, index ?? 0)
    }

    /// Adds the values from which a step made the value that is named `subject`.
    ///
    /// - Parameter index: The index of the value among those of the plays.
    mutating func addReads(
        step: Int, of subject: String, _ plays: Plays, at index: Int = 0
    ) throws(FlowError) {
        guard depth > 0, step > 0 else { return }
        let input = session.input(step)
        let start = try past.checkpoints(at: [step - 1])[0]
        let found = try Reads(of: plays, at: index, from: start, input)
        let outer = chain
        chain.append(subject)
        defer { chain = outer }
        for read in found.reads {
            let path = read.path.description
            switch read.source {
            case .input:
                add(
                    .read, path.below(input.name),
                    detail: shown(read.value, at: read.path).originText)
            case .props: add(.read, path.below("props"), detail: "of the flow")
            case .state(let node): try follow(read.path, of: node, before: step)
            case .randomNumbers: add(.read, "random numbers")
            case .time: add(.read, "the time")
            }
        }
        if found.isCut {
            add(
                .note,
                "step \(step) was played \(Reads.most) times; what else \(subject) was made from "
                    + "is unknown"
            )
        }
    }

    /// Adds a path of a state that was read, and its write, as far as is asked.
    private mutating func follow(
        _ path: ValuePath, of node: NodePath, before step: Int
    ) throws(FlowError) {
        let past = past
        let change = try past.lastChange(through: step - 1) {
            past.value(at: .state(node, path), in: $0)
        }
        let name = name(of: path, in: node)
        let since = change.map { "since step \($0.step)" } ?? "from the beginning"
        var detail = since
        if let first = chain.firstIndex(of: name) {
            let others = Set(chain[first...]).sorted()
            detail +=
                others.count == 1
                ? ", made from itself" : ": \(others.joined(separator: " and ")) hang on each other"
        }
        add(.read, name, detail: detail)
        guard depth > 1 else {
            if change != nil { unfollowed.append("\(name) \(since)") }
            return
        }
        guard let change else { return try addInitialState(path, of: node) }
        guard followed < Self.mostWrites else {
            unfollowed.append("\(name) \(since)")
            return
        }
        // An earlier step each time, or the search would not end.
        assert(change.step < step)
        followed += 1
        let outer = (before, after, depth)
        let both = try past.checkpoints(at: [change.before, change.step])
        (before, after, depth) = (both[0], both[1], depth - 1)
        defer { (before, after, depth) = outer }
        try addOrigin(ofState: path, of: node, level: Self.mostLevels)
    }

    /// Adds the line that wrote or made a path of a state, behind `level` levels of props.
    mutating func addOrigin(
        ofState path: ValuePath, of node: NodePath, level: Int
    ) throws(FlowError) {
        guard let before else { return try addInitialState(path, of: node) }
        guard before.node(at: node) == nil else {
            return try addWrite(of: path, in: node, level: level)
        }
        let tracer = WriteTracer(path)
        let (constant, code) = try session.rehearse(at: after.step - 1) {
            (rehearsal) throws(FlowError) in
            let code = try rehearsal.code
            if let failure = try rehearsal.advance(tracing: tracer.trace).failure { throw failure }
            return (code.location(ofConstantStateAt: node, in: rehearsal.host), code)
        }
        // A node has no key before it is rendered.
        let plain = NodePath(node.parent.components + [.init(name: node.name)])
        let end = tracer.ends.last {
            $0.phase == .state && [node, plain].contains($0.node)
        }
        self.code = code
        let location = end.map { code.start(of: $0.writers[0].location ?? $0.location) } ?? constant
        if let location { add(.write, "\(location)", at: location) }
        add(.call, "the first state of \(node)")
        addSender(ofStep: after.step)
        try addReads(ofWriteOf: path, in: node, step: after.step)
    }

    mutating func addUnfollowed() {
        guard !unfollowed.isEmpty else { return }
        var names = unfollowed.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        if names.count > 4 { names = names.prefix(3) + ["\(names.count - 3) more"] }
        let bound = followed < Self.mostWrites ? "as asked" : "after \(Self.mostWrites) writes"
        add(.note, "not followed further, \(bound): \(names.joined(separator: ", "))")
    }

    /// Adds a note about causes that were made from the same values.
    mutating func addShared(_ causes: [(name: String, reads: Set<String>)]) {
        var shared: [[String]: [String]] = [:]
        for read in causes.reduce(into: Set<String>(), { $0.formUnion($1.reads) }).sorted() {
            let names = causes.filter { $0.reads.contains(read) }.map(\.name)
            if names.count > 1 { shared[names, default: []].append(read) }
        }
        for (names, reads) in shared.sorted(by: { $0.value[0] < $1.value[0] }) {
            add(
                .note,
                "\(names.joined(separator: " and ")) hang together: made from "
                    + "\(reads.joined(separator: ", "))"
            )
        }
    }

    func name(of path: ValuePath, in node: NodePath) -> String {
        "\(path.description.below("state")) of \(node)"
    }
}

extension FlowError {
    /// False if a render failed, which says nothing of what the call before it did.
    func isOfTheCall() throws(FlowError) -> Bool {
        guard code != .interrupted else { throw self }
        return switch phase {
        case .apply, .answer, .changed: true
        default: false
        }
    }
}
