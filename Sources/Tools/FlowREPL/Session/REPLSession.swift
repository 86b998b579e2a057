package import FlowOrigins
package import FlowPrinting
package import PlainValue
package import Workflow
package import WorkflowKit
package import WorkflowLua

/// A session of a REPL: in this process, or in another that it is attached to.
package protocol REPLSession: Sendable {
    var status: FlowStatus { get async }
    /// The last good rendering.
    var rendering: Value { get async }
    var inputs: [FlowInput] { get async }
    /// The inputs and their effects. This may replay the inputs.
    func steps() async throws(FlowError) -> [FlowStep]
    /// The rendering after a step. This may replay the inputs.
    func rendering(at step: Int) async throws(FlowError) -> Value
    /// The origin of a value, followed through some writes.
    func origin(
        of subject: OriginSubject, at step: Int?, through depth: Int
    ) async throws(FlowError) -> ValueOrigin
    /// The origin of an expression's value where a debugger has stopped.
    func origin(
        ofExpression text: String, in frame: FlowFrame, through depth: Int
    ) async throws(FlowError) -> ValueOrigin
    /// The reason for a node's last rendering.
    func origin(ofNode node: NodePath) async throws(FlowError) -> ValueOrigin
    /// The hits of log points in a range of steps; `nil`: while the shown step is rendered again.
    func log(_ points: [LogPoint], steps: ClosedRange<Int>?) async throws(FlowError) -> [LogHit]
    /// The tree; `nil` after the end.
    func nodes() async -> FlowNode?

    func values(
        of expression: String, where names: [(String, Value)]
    ) async throws(FlowError) -> [Value]
    func send(_ action: Value) async throws(FlowError)
    func send(sink: Value, with fields: Value.Record) async throws(FlowError)
    /// Gives the refused outputs of a worker, or of all, again. Returns the accepted ones' number.
    func retry(_ worker: NodePath?) async throws(FlowError) -> Int
    func go(to step: Int) async throws(FlowError)
    func branch() async throws(FlowError)
    func reload(_ policy: ReloadPolicy) async throws(FlowError)
    func snapshot() async throws(FlowError) -> FlowSnapshot

    /// Takes the events of its feed. The events of one input stay together.
    func removeEvents(of feed: SessionFeed) async -> [SessionFeed.Item]
    /// The reason, if the session ended by itself.
    var ending: SessionEnding? { get }
    /// Closes the session if it belongs to this process, otherwise detaches.
    func leave() async
}

/// An end of a session that the REPL did not cause.
package struct SessionEnding: Sendable {
    package let message: REPLMessage
    package let status: ExitStatus
}

extension FlowSession: REPLSession {
    package func origin(ofNode node: NodePath) throws(FlowError) -> ValueOrigin {
        try origin(ofNode: node, at: nil)
    }
    package func log(_ points: [LogPoint], steps: ClosedRange<Int>?) throws(FlowError) -> [LogHit] {
        if let steps { try log(points, steps: steps) } else { try logRendering(points) }
    }
    package func send(_ action: Value) throws(FlowError) { try send(action, to: nil, by: nil) }
    package func send(sink: Value, with fields: Value.Record) throws(FlowError) {
        try send(sink: sink, with: fields, by: nil)
    }
    package func removeEvents(of feed: SessionFeed) -> [SessionFeed.Item] { feed.removeAll() }
    package nonisolated var ending: SessionEnding? { nil }
    package func leave() async { await close() }
}
