import PlainValue
import TestSupport
import Testing
import Workflow

struct Counter: Workflow {
    var step: Int

    enum Action: WorkflowAction {
        case increment

        func apply(toState state: inout Int, context: ApplyContext<Counter>) -> Never? {
            state += context[workflowValue: \.step]
            return nil
        }
    }

    struct Screen {
        var count: Int
        var onTap: () -> Void
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Counter>) -> Screen {
        Screen(count: state, onTap: context.makeEventHandler(action: Action.increment))
    }
}

/// A parent of counters, which are told apart by their keys.
struct Scoreboard: Workflow {
    var teams: [String]

    struct Screen {
        var scores: [Counter.Screen]
        var total: Int
    }

    func render(state: Void, context: RenderContext<Scoreboard>) -> Screen {
        let scores = teams.map { team in
            Counter(step: 1).rendered(in: context, key: team)
        }
        return Screen(scores: scores, total: scores.map(\.count).reduce(0, +))
    }
}

struct AddButton: Workflow {
    typealias Output = Int

    func render(state: Void, context: RenderContext<AddButton>) -> Sink<Int> {
        context.makeOutputSink()
    }
}

struct Sum: Workflow {
    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Sum>) -> (sum: Int, add: Sink<Int>) {
        let add = AddButton()
            .onOutput { (state: inout Int, amount) -> Never? in
                state += amount
                return nil
            }
            .rendered(in: context)
        return (state, add)
    }
}

/// Shows the seconds since it began.
struct Stopwatch: Workflow {
    struct Second: Worker, Equatable {
        var number: Int
        func run() async throws -> Int {
            try await WorkerClock.sleep(for: .seconds(1))
            return number
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Stopwatch>) -> String {
        context.awaitResult(for: Second(number: state + 1)) { number, state in
            state = number
            return nil
        }
        return "\(state) s"
    }
}

struct Draft: Workflow, SnapshottingWorkflow {
    func makeInitialState() -> String { "" }

    func render(state: String, context: RenderContext<Draft>) -> (text: String, set: Sink<String>) {
        let set = context.makeSink(of: String.self) { text, state in
            state = text
            return nil
        }
        return (state, set)
    }

    func snapshot(of state: String) -> StateSnapshot? { StateSnapshot(.string(state)) }

    func restoreState(from snapshot: StateSnapshot) -> String { snapshot.value.string ?? "" }
}

/// Prints each action with the node that it reached.
struct ActionPrinter: WorkflowObserver {
    func didReceiveAction<Action: WorkflowAction>(
        _ action: Action, sequence: Int, node: NodeIdentity
    ) {
        print("\(node.path): \(action)")
    }
}

/// The code of the page and of the article on the typed runtime, line for line.
@Suite struct TypedRuntimeSnippets {
    @Test func aCounterCounts() {
        let host = WorkflowHost(workflow: Counter(step: 2))
        host.rendering.onTap()
        print(host.rendering.count)  // 2
        #expect(host.rendering.count == 2)
    }

    @Test func aParentRendersChildren() {
        let host = WorkflowHost(workflow: Scoreboard(teams: ["red", "blue"]))
        host.rendering.scores[0].onTap()
        host.update(workflow: Scoreboard(teams: ["blue", "red"]))
        print(host.rendering.scores.map(\.count))  // [0, 1]
        #expect(host.rendering.scores.map(\.count) == [0, 1])
        #expect(host.rendering.total == 1)
    }

    @Test func anOutputChangesTheParent() {
        let host = WorkflowHost(workflow: Sum())
        host.rendering.add.send(3)
        #expect(host.rendering.sum == 3)
    }

    @Test @MainActor func aWorkerTicks() async {
        let host = WorkflowHost(workflow: Stopwatch())
        for await rendering in host.renderings {
            print(rendering)
            if rendering == "0 s" { break }  // A second later it would be "1 s".
        }
        #expect(host.rendering == "0 s")
    }

    @Test func aTreeIsSavedAndRestored() {
        let host = WorkflowHost(workflow: Draft())
        host.rendering.set.send("Dear Ada")
        let saved = host.makeSnapshot()
        let later = WorkflowHost(workflow: Draft(), restoring: saved)
        print(later.rendering.text, later.restoration?.isComplete ?? false)  // Dear Ada true
        #expect(later.rendering.text == "Dear Ada")
        #expect(later.restoration?.isComplete == true)
    }

    @Test func aTreeIsObserved() {
        var options = HostOptions()
        options.observers = [ActionPrinter()]
        options.onReport = { report in print("report: \(report)") }
        let host = WorkflowHost(workflow: Counter(step: 2), options: options)
        host.rendering.onTap()  // prints "Counter: increment"
        #expect(host.rendering.count == 2)
    }
}
