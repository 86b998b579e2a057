import LuaSyntax
import PlainValue
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// Lists the possible steps at a moment, and records the options that were never possible.
struct Candidates {
    private let options: FlowExplorationOptions
    private let root: NodePath
    private let types: [String]
    /// The fields that actions of a type may need, with values of their kinds.
    private let fields: [String: [OpenField]]
    /// The actions of the options that could be tried.
    private var tried: Set<Value> = []
    /// The places of ``FlowExplorationOptions/sinks`` that had a sink.
    private var found: Set<ValuePath> = []
    /// The declared workers by name; true for a worker with a known behavior.
    private var declared: [String: Bool] = [:]

    init(of flow: ExploredFlow, _ options: FlowExplorationOptions) {
        self.options = options
        root = NodePath([.init(name: flow.name)])
        types = flow.actionTypes
        fields = options.guessesValues ? OpenField.all(in: flow.texts) : [:]
    }

    func isKnown(_ worker: String) -> Bool { declared[worker] == true }

    var idleWorkers: [String] { declared.filter { !$0.value }.keys.sorted() }

    var missingWorkers: [(name: String, near: String?)] {
        Set(options.workers.map(\.worker)).subtracting(declared.keys).sorted()
            .map { ($0, nearestName(to: $0, among: declared.keys.sorted())) }
    }

    /// The actions of the options that no node accepted.
    var unmatched: [FlowExploration.Refusal] {
        options.actions.filter { !tried.contains($0) }.map {
            .init(action: $0, message: "neither the root nor a sink that was seen takes it")
        }
    }

    var unmatchedSinks: [ValuePath] { options.sinks.map(\.path).filter { !found.contains($0) } }

    mutating func steps(in moment: ExploredFlow.Moment) -> [ExploredStep] {
        var steps: [ExploredStep] = []
        var known: Set<[FlowInput.Kind]> = []
        func add(_ step: ExploredStep) {
            if known.insert(step.inputs).inserted { steps.append(step) }
        }
        let sinks = moment.rendering.exploredSinks
        for sink in sinks {
            let guesses = fields(openIn: sink.action, in: moment)
            if guesses.isEmpty { add(sink.step()) }
            for fields in guesses { add(sink.step(with: fields)) }
            for (path, fields) in options.sinks where path == sink.path {
                found.insert(path)
                add(sink.step(with: fields))
            }
        }
        for action in options.actions {
            guard let type = action["type"]?.string else { continue }
            let fitting = sinks.filter { $0.action["type"]?.string == type }
            for sink in fitting { add(sink.step(with: action.record ?? [:])) }
            // A root without a table of actions accepts none, or any.
            let isOfRoot = types.isEmpty ? fitting.isEmpty : types.contains(type)
            if isOfRoot { add(ExploredStep(inputs: [.action(action, node: root)])) }
            if isOfRoot || !fitting.isEmpty { tried.insert(action) }
        }
        if options.guessesActions {
            for type in types {
                let action: Value.Record = ["type": .string(type)]
                for fields in [[:]] + fields(openIn: .record(action), in: moment) {
                    let filled = Value.record(action.merging(fields) { own, _ in own })
                    add(ExploredStep(inputs: [.action(filled, node: root)], isGuess: true))
                }
            }
        }
        for worker in moment.workers {
            let behaviors = worker.behaviors(options, in: moment)
            declared[worker.name] = !behaviors.isEmpty || declared[worker.name] == true
            steps += behaviors
        }
        return steps
    }

    // MARK: Fields that an action leaves open

    private static let mostValues = 4
    private static let mostGuesses = 12

    /// Combinations of values for the fields that an action may need and does not have.
    private func fields(openIn action: Value, in moment: ExploredFlow.Moment) -> [Value.Record] {
        guard let type = action["type"]?.string, let known = fields[type] else { return [] }
        let open = known.filter { action[$0.name] == nil }
        guard !open.isEmpty else { return [] }
        var guesses: [Value.Record] = [[:]]
        for field in open {
            var values: [Value] = []
            moment.state.collect(field.name, into: &values, atMost: Self.mostValues)
            moment.rendering.collect(field.name, into: &values, atMost: Self.mostValues)
            for value in field.values where !values.contains(value) { values.append(value) }
            guesses = guesses.flatMap { guess in
                values.map { value in guess.merging([field.name: value]) { _, new in new } }
            }
        }
        return Array(guesses.prefix(Self.mostGuesses))
    }
}

/// A field that an action may need, with values to try.
private struct OpenField {
    let name: String
    let values: [Value]

    init(_ field: ActionField) {
        name = field.name
        values =
            switch field.kind {
            case .string?, nil: ["text", ""]
            case .integer?, .number?: [1, 0, -1]
            case .boolean?: [true, false]
            case .list?: [[]]
            case .record?: [[:]]
            }
    }

    /// The fields that the files of a flow read, by action type.
    static func all(in texts: [String: [UInt8]]) -> [String: [OpenField]] {
        var modules: [String: [UInt8]] = [:]
        for (file, text) in texts {
            modules[file.withoutLua.replacing("/", with: ".")] = text
        }
        var open: [String: [OpenField]] = [:]
        for (_, text) in texts.sorted(by: { $0.key < $1.key }) {
            let workflows = ActionFields(source: text, modules: modules).workflows
            for (_, actions) in workflows.sorted(by: { $0.key < $1.key }) {
                for (type, fields) in actions {
                    for field in fields
                    where !(open[type] ?? []).contains(where: { $0.name == field.name }) {
                        open[type, default: []].append(OpenField(field))
                    }
                }
            }
        }
        return open
    }
}

extension Value {
    /// Adds the plain values that records inside have under a name.
    fileprivate func collect(_ name: String, into values: inout [Value], atMost most: Int) {
        guard values.count < most, self["$sink"] == nil else { return }
        switch self {
        case .list(let elements):
            for element in elements { element.collect(name, into: &values, atMost: most) }
        case .record(let record):
            for (key, value) in record.sorted(by: { $0.key < $1.key }) {
                switch value {
                case .list, .record: value.collect(name, into: &values, atMost: most)
                default:
                    if key == name, values.count < most, !values.contains(value) {
                        values.append(value)
                    }
                }
            }
        default: break
        }
    }
}

struct ExploredSink {
    let path: ValuePath
    let node: NodePath
    let action: Value

    func step(with fields: Value.Record = [:]) -> ExploredStep {
        var fields = fields
        fields["type"] = nil
        guard !fields.isEmpty, case .record(var record) = action else {
            return ExploredStep(inputs: [.action(action, node: node)], sink: path)
        }
        for (name, value) in fields { record[name] = value }
        return ExploredStep(
            inputs: [.action(.record(record), node: node)], sink: path, fields: fields)
    }
}

extension Value {
    /// The sinks of a rendering that can be sent, in order.
    var exploredSinks: [ExploredSink] {
        sinks.compactMap { path, sink in
            guard let node = sink["$sink"]?["node"]?.string.flatMap(NodePath.init),
                let action = sink["$sink"]?["action"]
            else { return nil }
            return ExploredSink(path: path, node: node, action: action)
        }
    }
}

extension WorkerRun {
    /// Its possible steps: the behaviors of the options, those of the clock, or outputs of the
    /// shape that its plugin declares; and its failure, if it did not fail before.
    fileprivate func behaviors(
        _ options: FlowExplorationOptions, in moment: ExploredFlow.Moment
    ) -> [ExploredStep] {
        var steps = options.workers.filter { $0.worker == name }.map { step($0) }
        if steps.isEmpty, let (output, _, _) = clockOutput(1) {
            return moment.timers.isDue(self) ? [step(.output(worker: name, output))] : []
        }
        if steps.isEmpty, options.guessesValues,
            let worker = try? options.plugins.worker(named: name)
        {
            steps = worker.output.samples.map { step(.output(worker: name, $0)) }
        }
        if options.failsWorkers, !moment.failed.contains(path) {
            let error = WorkerError("failed", "the worker failed, as any may")
            var failure = step(.failure(worker: name, error))
            failure.isInjected = true
            steps.append(failure)
        }
        return steps
    }

    private func step(_ behavior: FlowExplorationOptions.WorkerBehavior) -> ExploredStep {
        func news(_ event: WorkerNews.Event) -> FlowInput.Kind {
            .worker(self.news(event))
        }
        switch behavior {
        case .failure(_, let error): return ExploredStep(inputs: [news(.failed(error))])
        case .output(_, let output):
            let ends = name == "clock.every" ? [] : [news(.finished)]
            return ExploredStep(inputs: [news(.output(output))] + ends)
        }
    }
}

extension ValueSchema {
    private static let mostSamples = 8

    /// Some values of the shape; the first has all of its parts.
    fileprivate var samples: [Value] {
        switch self {
        case .any: [[:]]
        case .null: [.null]
        case .boolean: [true, false]
        case .integer: [1]
        case .number: [1.5]
        case .string: ["text"]
        case .choice(let texts): texts.map { .string($0) }
        case .optional(let schema): schema.samples
        case .list(let element): [.list(of: element.samples)]
        case .map(let element): element.samples.first.map { [["key": $0]] } ?? [[:]]
        case .record(let fields): Self.samples(of: fields)
        }
    }

    /// Records that vary one field at a time.
    private static func samples(of fields: [Field]) -> [Value] {
        let samples = fields.map { (name: $0.name, values: $0.schema.samples) }
        var full: Value.Record = [:]
        for (name, values) in samples { full[name] = values.first }
        var all: [Value] = [.record(full)]
        for (name, values) in samples {
            for value in values.dropFirst() where all.count < mostSamples {
                var record = full
                record[name] = value
                all.append(.record(record))
            }
        }
        return all
    }
}
