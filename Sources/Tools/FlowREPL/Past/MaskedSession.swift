import FlowOrigins
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// A read-only session without secrets. Of its events it passes on only `ready`.
struct MaskedSession: REPLSession {
    let session: FlowSession
    let secrets: SecretTexts

    var status: FlowStatus { get async { await session.status } }
    var rendering: Value { get async { secrets.hiding(await session.rendering) } }
    var inputs: [FlowInput] {
        get async { await session.inputs.map { secrets.hiding($0) } }
    }

    func steps() async throws(FlowError) -> [FlowStep] {
        try await session.steps().map { step in
            FlowStep(
                secrets.hiding(step.input), action: step.action, changed: step.changed,
                outputs: step.outputs.map { secrets.hiding($0) })
        }
    }

    func rendering(at step: Int) async throws(FlowError) -> Value {
        secrets.hiding(try await session.rendering(at: step))
    }

    func nodes() async -> FlowNode? { await session.nodes()?.hiding(secrets) }

    func values(
        of expression: String, where names: [(String, Value)]
    ) async throws(FlowError) -> [Value] {
        try await session.values(
            of: expression, where: names.map { ($0.0, secrets.hiding($0.1)) })
    }

    // These methods mask by themselves.
    func origin(
        of subject: OriginSubject, at step: Int?, through depth: Int
    ) async throws(FlowError) -> ValueOrigin {
        try await session.origin(of: subject, at: step, through: depth)
    }
    func origin(
        ofExpression text: String, in frame: FlowFrame, through depth: Int
    ) async throws(FlowError) -> ValueOrigin {
        try await session.origin(ofExpression: text, in: frame, through: depth)
    }
    func origin(ofNode node: NodePath) async throws(FlowError) -> ValueOrigin {
        try await session.origin(ofNode: node)
    }
    func log(_ points: [LogPoint], steps: ClosedRange<Int>?) async throws(FlowError) -> [LogHit] {
        try await session.log(points, steps: steps)
    }

    func go(to step: Int) async throws(FlowError) { try await session.go(to: step) }
    func snapshot() async throws(FlowError) -> FlowSnapshot { try await session.snapshot() }

    func send(_ action: Value) async throws(FlowError) { throw FlowError(.isPast) }
    func send(sink: Value, with fields: Value.Record) async throws(FlowError) {
        throw FlowError(.isPast)
    }
    func retry(_ worker: NodePath?) async throws(FlowError) -> Int { throw FlowError(.isPast) }
    func branch() async throws(FlowError) { throw FlowError(.isPast) }
    func reload(_ policy: ReloadPolicy) async throws(FlowError) { throw FlowError(.isPast) }

    func removeEvents(of feed: SessionFeed) async -> [SessionFeed.Item] {
        feed.removeAll().filter { item in
            if case .ready = item.event.kind { true } else { false }
        }
    }

    var ending: SessionEnding? { nil }
    func leave() async { await session.close() }
}

extension FlowNode {
    fileprivate func hiding(_ secrets: SecretTexts) -> FlowNode {
        var node = self
        node.props = secrets.hiding(props)
        node.state = secrets.hiding(state)
        for index in workers.indices {
            node.workers[index].input = secrets.hiding(workers[index].input)
            // What it gave may hold secrets, and only the reason is shown.
            for refused in workers[index].refused.indices {
                node.workers[index].refused[refused].event = .finished
            }
        }
        node.children = children.map { $0.hiding(secrets) }
        return node
    }
}
