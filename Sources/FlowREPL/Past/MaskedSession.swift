import FlowOrigins
import FlowServing
import PlainValue
import WorkflowKit
import WorkflowLua

/// A session that is looked at without what is secret; what it did is told by its inputs alone.
struct MaskedSession: REPLSession {
    let session: FlowSession
    let secrets: Set<String>

    var status: FlowStatus { get async { await session.status } }
    var rendering: Value { get async { await session.rendering.redacting(secrets) } }
    var inputs: [FlowInput] {
        get async { await session.inputs.map { $0.redacting(secrets) } }
    }

    func steps() async throws(FlowError) -> [FlowStep] {
        try await session.steps().map { step in
            FlowStep(
                step.input.redacting(secrets), action: step.action, changed: step.changed,
                outputs: step.outputs.map { $0.redacting(secrets) })
        }
    }

    func rendering(at step: Int) async throws(FlowError) -> Value {
        try await session.rendering(at: step).redacting(secrets)
    }

    func nodes() async -> FlowNode? { await session.nodes()?.redacting(secrets) }

    func value(
        of expression: String, where names: [(String, Value)]
    ) async throws(FlowError) -> Value {
        try await session.value(
            of: expression, where: names.map { ($0.0, $0.1.redacting(secrets)) })
    }

    // These mask by themselves.
    func origin(of path: ValuePath) async throws(FlowError) -> ValueOrigin {
        try await session.origin(of: path)
    }
    func origin(ofNode node: String) async throws(FlowError) -> ValueOrigin {
        try await session.origin(ofNode: node)
    }
    func log(
        _ points: [LogPoint], steps: ClosedRange<Int>
    ) async throws(FlowError) -> [LogHit] { try await session.log(points, steps: steps) }
    func logRendering(_ points: [LogPoint]) async throws(FlowError) -> [LogHit] {
        try await session.logRendering(points)
    }

    func go(to step: Int) async throws(FlowError) { try await session.go(to: step) }
    func snapshot() async throws(FlowError) -> FlowSnapshot { try await session.snapshot() }

    func send(_ action: Value, to path: String?) async throws(FlowError) { throw Self.isPast }
    func send(sink: Value, with fields: Value.Record) async throws(FlowError) { throw Self.isPast }
    func branch() async throws(FlowError) { throw Self.isPast }
    func reload(_ policy: ReloadPolicy) async throws(FlowError) { throw Self.isPast }

    private static let isPast = FlowError(.misuse, "what has been cannot be changed")

    func removeEvents(of feed: SessionFeed) async -> [SessionFeed.Item] {
        feed.removeAll().filter { item in
            if case .ready = item.event.kind { true } else { false }
        }
    }

    var ending: SessionEnding? { nil }
    func leave() async { await session.close() }
}

extension FlowNode {
    fileprivate func redacting(_ secrets: Set<String>) -> FlowNode {
        var node = self
        node.props = props.redacting(secrets)
        node.state = state.redacting(secrets)
        for index in workers.indices {
            node.workers[index].input = workers[index].input.redacting(secrets)
        }
        node.children = children.map { $0.redacting(secrets) }
        return node
    }
}
