import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// Finds the values from which a step made a value: replays the step with other values. Those that
/// have no effect together are not tried one by one.
struct Reads {
    /// The maximum number of times that the step is played.
    static let most = 512
    /// The number of values that are tried one by one.
    private static let groups = 48

    enum Source: Hashable {
        case input
        case props
        case state(NodePath)
        case randomNumbers
        case time
    }

    struct Read {
        let source: Source
        let path: ValuePath
        let value: Value
    }

    /// The result of playing the step with other values.
    enum Outcome: Equatable {
        case value(Value?)
        case failed
        /// The tree before the step cannot be rendered.
        case impossible
    }

    private struct Candidate {
        let read: Read
        let others: [Value]
    }

    private(set) var reads: [Read] = []
    /// True if not all values could be tried.
    private(set) var isCut = false

    private let before: FlowCheckpoint
    private let input: FlowInput
    private let plays: Plays
    private let index: Int
    private var now = Outcome.impossible
    private var count = 0

    /// - Parameter index: The index of the explained value among those that the plays give.
    init(
        of plays: Plays, at index: Int, from before: FlowCheckpoint, _ input: FlowInput
    ) throws(FlowError) {
        (self.before, self.input, self.plays, self.index) = (before, input, plays, index)
        now = try outcome(.init(input: input))
        guard case .value = now else { return }
        var sources: [(source: Source, value: Value)] = [
            (.input, input.value), (.props, before.props),
        ]
        for (path, node) in before.nodes {
            sources.append((.state(path), node.state?.value ?? .null))
        }
        var leaves: [Candidate] = []
        for (source, value) in sources {
            for path in value.leaves where source != .input || !input.isType(path) {
                let leaf = value[path] ?? .null
                leaves.append(
                    Candidate(
                        read: Read(source: source, path: path, value: leaf),
                        others: leaf.others + leaf.furtherOthers))
            }
        }
        try search(leaves)
        // A list whose elements have no effect can have one by its length.
        var lists: [Candidate] = []
        for (source, value) in sources {
            for (path, list) in value.lists {
                let isRead = reads.contains { read in
                    read.source == source && read.path.components.starts(with: path.components)
                }
                guard !isRead else { continue }
                lists.append(
                    Candidate(
                        read: Read(source: source, path: path, value: .list(list)),
                        others: [.list(of: Array(list.dropLast()))]))
            }
        }
        try search(lists)
        var later = input
        later.milliseconds += 1000
        for (source, outcome) in [
            (Source.randomNumbers, try outcome(.init(input: input, hasOtherNumbers: true))),
            (Source.time, try outcome(.init(input: later))),
        ] where outcome != now && outcome != .impossible {
            reads.append(Read(source: source, path: ValuePath(), value: .null))
        }
    }

    /// Tries values, many of them at once where there are many.
    private mutating func search(_ candidates: [Candidate]) throws(FlowError) {
        let size = max(1, candidates.count / Self.groups)
        for start in stride(from: 0, to: candidates.count, by: size) {
            try search(candidates[start..<min(start + size, candidates.count)])
        }
    }

    private mutating func search(_ candidates: ArraySlice<Candidate>) throws(FlowError) {
        guard let first = candidates.first else { return }
        guard candidates.count == 1 else {
            // The effects of two can hide each other.
            let every = candidates.map { ($0.read, $0.others.first ?? $0.read.value) }
            let other = every.indices.filter { $0 % 2 == 0 }.map { every[$0] }
            if try outcome(every) == now, try outcome(other) == now { return }
            let middle = candidates.startIndex + candidates.count / 2
            try search(candidates[..<middle])
            return try search(candidates[middle...])
        }
        for other in first.others {
            let outcome = try outcome([(first.read, other)])
            if outcome == now || outcome == .impossible { continue }
            return reads.append(first.read)
        }
    }

    private mutating func outcome(_ values: [(read: Read, other: Value)]) throws(FlowError)
        -> Outcome
    {
        guard count < Self.most else {
            isCut = true
            return now
        }
        count += 1
        var input = self.input
        var changes: [PastChange] = []
        for (read, other) in values {
            let change = ValueChange(path: read.path, kind: .changed(from: read.value, to: other))
            switch read.source {
            case .input: input.value[read.path] = other
            case .props: changes.append(PastChange(node: nil, change: change))
            case .state(let node): changes.append(PastChange(node: node, change: change))
            case .randomNumbers, .time: break
            }
        }
        return try outcome(.init(input: input, changes: changes))
    }

    private func outcome(_ play: Plays.Play) throws(FlowError) -> Outcome {
        try plays.outcomes(of: play, from: before)[index]
    }
}

/// A step that is played with other values, for one or several values that it made.
final class Plays {
    /// Plays an input and gives the values.
    typealias Probe = (Rehearsal, FlowInput) throws(FlowError) -> [Reads.Outcome]

    struct Play: Hashable {
        let input: FlowInput
        var changes: [PastChange] = []
        var hasOtherNumbers = false
    }

    private let past: Past
    private let count: Int
    private let probe: Probe
    /// The outcomes of plays for several values: most plays are wanted for each of these.
    private var known: [Play: [Reads.Outcome]] = [:]

    init(in past: Past, count: Int = 1, _ probe: @escaping Probe) {
        (self.past, self.count, self.probe) = (past, count, probe)
    }

    fileprivate func outcomes(
        of play: Play, from before: FlowCheckpoint
    ) throws(FlowError) -> [Reads.Outcome] {
        if count > 1, let outcomes = known[play] { return outcomes }
        var tree = before.putting(play.changes)
        if play.hasOtherNumbers { tree.random = tree.random.another }
        let outcomes: [Reads.Outcome]
        do throws(FlowError) {
            outcomes = try past.with(tree) { (rehearsal) throws(FlowError) in
                try probe(rehearsal, play.input)
            }
        } catch {
            guard error.code != .interrupted else { throw error }
            outcomes = Array(repeating: .impossible, count: count)
        }
        assert(outcomes.count == count)
        if count > 1 { known[play] = outcomes }
        return outcomes
    }
}

extension FlowInput {
    /// True if a path is that of an action's type.
    fileprivate func isType(_ path: ValuePath) -> Bool {
        guard case .action(let action, _) = kind else { return false }
        return action.record == nil || path == ValuePath([.key("type")])
    }

    /// The name under which what it brings is read.
    var name: String {
        switch kind {
        case .action: "action"
        case .props: "props"
        case .worker: "output"
        }
    }
}

extension Value {
    /// More values to try in its place: the next one can have a meaning of its own.
    fileprivate var furtherOthers: [Value] {
        switch self {
        case .int(let int): [.int(-1 &- int)]
        case .double(let double): [.double(-1 - double)]
        case .string(let text): text.isEmpty ? [] : [""]
        case .null, .bool, .list, .record: []
        }
    }

    /// All lists that have elements, with their paths.
    fileprivate var lists: [(path: ValuePath, list: Value.List)] {
        switch self {
        case .record(let record):
            record.flatMap { key, value in
                value.lists.map { (ValuePath([.key(key)]).appending($0.path), $0.list) }
            }
        case .list(let list) where !list.isEmpty:
            [(ValuePath(), list)]
                + list.enumerated().flatMap { index, value in
                    value.lists.map { (ValuePath([.index(index + 1)]).appending($0.path), $0.list) }
                }
        default: []
        }
    }
}
