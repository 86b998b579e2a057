import Synchronization
import TestSupport
import Testing
import Workflow
import WorkflowTesting

private final class EventLog: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

/// A node whose children, side effects and workers depend on its inputs and its state.
private struct Twig: Workflow {
    struct Inputs: Equatable {
        var seed: UInt64
        var depth: Int
        var hint: Int
        /// Without comparable inputs, a node renders each time; some twigs are like that.
        var isComparable: Bool
    }

    struct State: Equatable {
        var value: Int
        var layout: UInt64
    }

    enum Action: WorkflowAction, Sendable {
        case add(Int)
        case shuffle
        case emit(Int)
        case fail

        func apply(toState state: inout State, context: ApplyContext<Twig>) throws -> Int? {
            switch self {
            case .add(let amount):
                state.value += amount
                return nil
            case .shuffle:
                state.layout += 1
                return nil
            case .emit(let amount):
                state.value += amount
                if state.value % 11 == 10 { throw TestError("eleven at \(context.path)") }
                return state.value % 3 == 0 ? nil : amount
            case .fail:
                state.value += 100
                throw TestError("asked to at \(context.path)")
            }
        }
    }

    struct Rendering {
        var text: String
        var sinks: [Sink<Action>]
    }

    typealias Output = Int

    let inputs: Inputs
    let log: EventLog

    func makeInitialState() -> State { State(value: inputs.hint, layout: 0) }

    func workflowDidChange(from previousWorkflow: Twig, state: inout State) {
        state.value += inputs.hint - previousWorkflow.inputs.hint
    }

    func render(state: State, context: RenderContext<Twig>) -> Rendering {
        var dice = SeededNumbers(seed: inputs.seed &+ state.layout &* 7919)
        var rendering = Rendering(
            text: "\(inputs.depth):\(state.value)", sinks: [context.makeSink(of: Action.self)])
        let path = "\(context.path)"
        for number in 0..<Int.random(in: 0...2, using: &dice) {
            let key = "\(number) \(state.value / 4)"
            context.runSideEffect(key: key) { [log] lifetime in
                log.note("effect \(path) \(key)")
                lifetime.onEnded { log.note("no effect \(path) \(key)") }
            }
        }
        if Int.random(in: 0..<4, using: &dice) == 0 {
            Chore(name: "\(path) \(state.value / 2)", log: log)
                .mapOutput { Action.add($0) }.running(in: context)
        }
        if state.value % 13 == 12 { context.fail(TestError("thirteen at \(path)")) }
        guard inputs.depth > 0 else { return rendering }
        let keys = (0..<5).shuffled(using: &dice).prefix(Int.random(in: 0...3, using: &dice))
        for key in keys {
            let child = Inputs(
                seed: inputs.seed &* 31 &+ UInt64(key), depth: inputs.depth - 1,
                hint: key % 2 == 0 ? 0 : state.value / 3, isComparable: key != 4)
            let shown =
                child.isComparable
                ? render(ComparableTwig(twig: Twig(inputs: child, log: log)), "\(key)", context)
                : Twig(inputs: child, log: log)
                    .rendered(in: context, key: "\(key)") { Action.emit($0 + key) }
            rendering.text += "(\(key) \(shown.text))"
            rendering.sinks += shown.sinks
        }
        return rendering
    }

    private func render(
        _ twig: ComparableTwig, _ key: String, _ context: RenderContext<Twig>
    ) -> Rendering {
        twig.mapOutput { Action.emit($0) }.rendered(in: context, key: key)
    }
}

/// A twig under a node whose inputs can be compared.
private struct ComparableTwig: Workflow, Equatable {
    let twig: Twig

    typealias Output = Int

    func render(state: Void, context: RenderContext<ComparableTwig>) -> Twig.Rendering {
        twig.rendered(in: context) { AnyWorkflowAction<ComparableTwig>(sendingOutput: $0) }
    }

    static func == (a: ComparableTwig, b: ComparableTwig) -> Bool { a.twig.inputs == b.twig.inputs }
}

private struct Chore: Worker {
    let name: String
    let log: EventLog

    func run() async throws -> Int {
        log.note("chore \(name)")
        do {
            try await WorkerClock.sleep(for: .seconds(2))
        } catch {
            log.note("no chore \(name)")
            throw error
        }
        return 1
    }

    func isEquivalent(to otherWorker: Chore) -> Bool { name == otherWorker.name }
}

private final class Side {
    let log = EventLog()
    let tester: WorkflowTester<Twig>
    private(set) var outputs: [Int] = []

    init(seed: UInt64, rendersEverything: Bool, isStrict: Bool = false) {
        let inputs = Twig.Inputs(seed: seed, depth: 3, hint: 1, isComparable: true)
        tester = WorkflowTester(workflow: Twig(inputs: inputs, log: log)) {
            $0.rendersEverything = rendersEverything
            $0.isStrict = isStrict
        }
        tester.host.onOutput = { [unowned self] in outputs.append($0) }
    }

    var states: NodeDescription { tester.host.describeTree() }
}

@Suite struct EquivalenceTests {
    /// Fewer without optimisation, where comparing takes most of the time.
    #if DEBUG
        private static let treeCount: UInt64 = 300
    #else
        private static let treeCount: UInt64 = 3000
    #endif

    private static func play(seed: UInt64, on sides: [Side]) -> String? {
        var dice = SeededNumbers(seed: seed ^ 0xABCD)
        for step in 0..<12 {
            let count = sides[0].tester.rendering.sinks.count
            let index = Int.random(in: 0..<count, using: &dice)
            let action: Twig.Action? =
                switch Int.random(in: 0..<10, using: &dice) {
                case 0...2: .add(Int.random(in: 0...3, using: &dice))
                case 3...4: .shuffle
                case 5...7: .emit(Int.random(in: 0...3, using: &dice))
                case 8: .fail
                default: nil
                }
            for side in sides {
                if let action {
                    side.tester.send(action) { $0.sinks[index] }
                } else {
                    side.tester.advance(by: .seconds(1))
                }
            }
            if let difference = difference(sides[0], sides[1]) {
                return "seed \(seed), step \(step): \(difference)"
            }
        }
        for side in sides { side.tester.host.shutDown() }
        for side in sides { side.tester.settle() }
        return difference(sides[0], sides[1], isOver: true).map { "seed \(seed), end: \($0)" }
    }

    private static func difference(_ a: Side, _ b: Side, isOver: Bool = false) -> String? {
        let (first, second) = (a.tester.rendering.text, b.tester.rendering.text)
        if first != second { return "renderings \(first) and \(second)" }
        if a.outputs != b.outputs { return "outputs \(a.outputs) and \(b.outputs)" }
        if a.log.all != b.log.all { return "events \(a.log.all) and \(b.log.all)" }
        if !isOver, a.states != b.states { return "states \(a.states) and \(b.states)" }
        return nil
    }

    @Test func renderingOnlyWhatChangedIsTheSameAsRenderingEverything() throws {
        for seed in SeededNumbers.seeds(0...Self.treeCount - 1) {
            let sides = [
                Side(seed: seed, rendersEverything: false),
                Side(seed: seed, rendersEverything: true),
            ]
            try #require(Self.play(seed: seed, on: sides) == nil)
        }
    }

    @Test func strictModeChangesNothing() throws {
        for seed in 0..<Self.treeCount / 10 {
            let sides = [
                Side(seed: seed, rendersEverything: false),
                Side(seed: seed, rendersEverything: false, isStrict: true),
            ]
            try #require(Self.play(seed: seed, on: sides) == nil)
        }
    }
}
