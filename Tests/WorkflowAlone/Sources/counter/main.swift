import Workflow

struct Counter: Workflow {
    struct Rendering {
        var count: Int
        var add: Sink<Add>
    }

    struct Add: WorkflowAction {
        var amount: Int

        func apply(toState state: inout Int, context: ApplyContext<Counter>) -> Never? {
            state += amount
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Self>) -> Rendering {
        Rendering(count: state, add: context.makeSink(of: Add.self))
    }
}

let host = WorkflowHost(workflow: Counter())
host.rendering.add.send(Counter.Add(amount: 2))
precondition(host.rendering.count == 2, "the action was not applied")
print(host.rendering.count)
