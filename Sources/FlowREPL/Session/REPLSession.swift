package import FlowOrigins
package import FlowPrinting
package import PlainValue
package import WorkflowKit
package import WorkflowLua

/// A session that a REPL talks about: of this process, or of another that it is attached to.
package protocol REPLSession: Sendable {
    /// Its status.
    var status: FlowStatus { get async }
    /// The last good rendering.
    var rendering: Value { get async }
    /// The inputs so far.
    var inputs: [FlowInput] { get async }
    /// The inputs so far and what came of them, which takes as long as playing them again.
    func steps() async throws(FlowError) -> [FlowStep]
    /// The rendering after a step, which takes as long as going there.
    func rendering(at step: Int) async throws(FlowError) -> Value
    /// Where a value of the rendering comes from.
    func origin(of path: ValuePath) async throws(FlowError) -> ValueOrigin
    /// Why a node was rendered last.
    func origin(ofNode node: String) async throws(FlowError) -> ValueOrigin
    /// What was so at lines of the flow in some steps.
    func log(
        _ points: [LogPoint], steps: ClosedRange<Int>
    ) async throws(FlowError) -> [LogHit]
    /// What is so at lines of the flow while what is shown is rendered anew.
    func logRendering(_ points: [LogPoint]) async throws(FlowError) -> [LogHit]
    /// The tree; `nil` if there is none any more.
    func nodes() async -> FlowNode?

    func value(
        of expression: String, where names: [(String, Value)]
    ) async throws(FlowError) -> Value
    func send(_ action: Value, to path: String?) async throws(FlowError)
    func send(sink: Value, with fields: Value.Record) async throws(FlowError)
    func go(to step: Int) async throws(FlowError)
    func branch() async throws(FlowError)
    func reload(_ policy: ReloadPolicy) async throws(FlowError)
    /// The session as it is now, to go on from.
    func snapshot() async throws(FlowError) -> FlowSnapshot

    /// Takes the events of its feed; what one input causes is never torn apart.
    func removeEvents(of feed: SessionFeed) async -> [SessionFeed.Item]
    /// The reason why it has ended, if it ended by itself.
    var ending: SessionEnding? { get }
    /// Closes it if it belongs to this process.
    func leave() async
}

/// The end of a session that the REPL did not end.
package struct SessionEnding: Sendable {
    /// The message about it.
    package let message: REPLMessage
    /// The exit status of the process.
    package let status: ExitStatus
}

extension FlowSession: REPLSession {
    package func origin(of path: ValuePath) throws(FlowError) -> ValueOrigin {
        try origin(of: path, at: nil)
    }
    package func origin(ofNode node: String) throws(FlowError) -> ValueOrigin {
        try origin(ofNode: node, at: nil)
    }
    package func send(_ action: Value, to path: String?) throws(FlowError) {
        try send(action, to: path, by: nil)
    }
    package func send(sink: Value, with fields: Value.Record) throws(FlowError) {
        try send(sink: sink, with: fields, by: nil)
    }
    package func removeEvents(of feed: SessionFeed) -> [SessionFeed.Item] { feed.removeAll() }
    package nonisolated var ending: SessionEnding? { nil }
    package func leave() async { await close() }
}
