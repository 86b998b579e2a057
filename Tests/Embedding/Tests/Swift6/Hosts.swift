import Workflow

/// A workflow whose rendering has a sink that any thread may use.
struct Count: Workflow {
    struct Add: WorkflowAction, Sendable {
        var amount: Int

        func apply(toState state: inout Int, context: ApplyContext<Count>) -> Never? {
            state += amount
            return nil
        }
    }

    struct Rendering {
        var count: Int
        var add: Sink<Add>
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Count>) -> Rendering {
        Rendering(count: state, add: context.makeSink(of: Add.self))
    }
}

actor MadeInMethod {
    private var host: WorkflowHost<Count>?

    func start(_ show: @escaping @Sendable (Int) -> Void) -> Sink<Count.Add> {
        let host = WorkflowHost(workflow: Count())
        host.onRendering = { show($0.count) }
        self.host = host
        return host.rendering.add
    }
}

actor MadeWhenUsed {
    private lazy var host = makeHost()

    private func makeHost() -> WorkflowHost<Count> { WorkflowHost(workflow: Count()) }

    func start(_ show: @escaping @Sendable (Int) -> Void) -> Sink<Count.Add> {
        host.onRendering = { show($0.count) }
        return host.rendering.add
    }
}

actor MadeInAsyncInit {
    private var host: WorkflowHost<Count>?

    init(_ show: @escaping @Sendable (Int) -> Void) async {
        let host = WorkflowHost(workflow: Count())
        host.onRendering = { show($0.count) }
        self.host = host
    }

    var sink: Sink<Count.Add>? { host?.rendering.add }
}

/// Made in a plain `init`, before its actor can be known; the first use of a sink there tells it.
actor MadeInInit {
    private let host: WorkflowHost<Count>

    init() { host = WorkflowHost(workflow: Count()) }

    func start(_ show: @escaping @Sendable (Int) -> Void) -> Sink<Count.Add> {
        host.rendering.add.send(Count.Add(amount: 1))
        host.onRendering = { show($0.count) }
        return host.rendering.add
    }
}

@MainActor final class ModelWithProperty {
    let host = WorkflowHost(workflow: Count())
}

@MainActor final class ModelWithLazyProperty {
    lazy var host = WorkflowHost(workflow: Count())
}

@MainActor final class ModelWithInit {
    let host: WorkflowHost<Count>
    private(set) var count = 0

    init() {
        host = WorkflowHost(workflow: Count())
        host.onRendering = { [unowned self] in count = $0.count }
    }
}

@MainActor enum Shared {
    static let host = WorkflowHost(workflow: Count())
}

@MainActor let globalHost = WorkflowHost(workflow: Count())
