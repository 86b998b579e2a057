import CAllocationCount
import Workflow

struct CounterWorkflow: Workflow {
    struct Rendering {
        var count: Int
        var sink: Sink<Action>
    }

    enum Action: WorkflowAction {
        case add(Int)

        func apply(toState state: inout Int, context: ApplyContext<CounterWorkflow>) -> Never? {
            switch self {
            case .add(let amount): state += amount
            }
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<CounterWorkflow>) -> Rendering {
        Rendering(count: state, sink: context.makeSink(of: Action.self))
    }
}

/// A root with keyed counters; its rendering lists theirs.
struct ListWorkflow: Workflow {
    var keys: [String]

    func render(state: Void, context: RenderContext<ListWorkflow>) -> [CounterWorkflow.Rendering] {
        keys.map { CounterWorkflow().rendered(in: context, key: $0) }
    }
}

/// A chain in which every level turns its child's output into its own.
struct ChainWorkflow: Workflow {
    var depth: Int

    struct Rendering {
        var count: Int
        var sink: Sink<Action>
    }

    enum Action: WorkflowAction {
        case tick

        func apply(toState state: inout Int, context: ApplyContext<ChainWorkflow>) -> Action? {
            state += 1
            return .tick
        }
    }

    typealias Output = Action

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<ChainWorkflow>) -> Rendering {
        guard depth > 1 else {
            return Rendering(count: state, sink: context.makeSink(of: Action.self))
        }
        let child = ChainWorkflow(depth: depth - 1).rendered(in: context)
        return Rendering(count: child.count + state, sink: child.sink)
    }
}

func nativeShapes() -> [Measurement] {
    var results: [Measurement] = []

    let single = WorkflowHost(workflow: CounterWorkflow())
    results.append(
        measure("single node, Int state, sink", note: "≤ 300 ns, ≤ 1 allocation", calls: 20_000) {
            single.rendering.sink.send(.add(1))
        })

    for (count, goal) in [(10, ""), (100, "≤ 6,000 ns"), (1000, "≤ 60,000 ns, ≤ 10 allocations")] {
        let host = WorkflowHost(workflow: ListWorkflow(keys: (0..<count).map { "\($0)" }))
        results.append(
            measure("\(count) keyed children, one changes", note: goal, calls: 20_000 / count + 20)
            { host.rendering[count / 2].sink.send(.add(1)) })
        if count == 1000 {
            results.append(
                measure("1,000 children, nothing changes", note: "≤ 300 ns, 0 allocations") {
                    host.rendering[count / 2].sink.send(.add(0))
                })
        }
    }

    let chain = WorkflowHost(workflow: ChainWorkflow(depth: 100))
    results.append(
        measure("chain of 100, output at each level", note: "≤ 20,000 ns, ≤ 110 allocations") {
            chain.rendering.sink.send(.tick)
        })

    let keys = (0..<1000).map { "\($0)" }
    results.append(
        measure(
            "make and drop a host, 1,000 children", note: "≤ 600,000 ns, ≤ 6,000 allocations",
            calls: 20
        ) {
            let host = WorkflowHost(workflow: ListWorkflow(keys: keys))
            host.shutDown()
        })

    guard isWanted("memory a node, 10,000 children") else { return results }
    let before = allocation_bytes()
    let large = WorkflowHost(workflow: ListWorkflow(keys: (0..<10_000).map { "\($0)" }))
    let bytes = Double(allocation_bytes() - before) / 10_000
    results.append(
        Measurement(
            name: "memory a node, 10,000 children (\(Int(bytes)) B)", nanoseconds: 0,
            allocations: 0, note: "≤ 500 B"))
    large.shutDown()
    return results
}
