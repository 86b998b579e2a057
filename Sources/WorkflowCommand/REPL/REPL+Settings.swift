import WorkerKit
import WorkflowKit
import WorkflowLua

extension REPL {
    /// What a REPL is made with.
    struct Settings: Sendable {
        var options = FlowOptions()
        var style = Style(isColored: false)
        /// The style of what goes to standard error.
        var errorStyle = Style(isColored: false)
        /// The width of the terminal.
        var columns: @Sendable () -> Int = { 80 }
        /// What interrupts a call into a flow that takes too long.
        var interrupt = SessionInterrupt()
        /// What to go on from.
        var snapshot: FlowSnapshot?
        /// What workers may reach that a flow runs, whose folder is where paths start.
        var makeGrants: @Sendable (String?) throws(Refusal) -> Grants = { _ in Grants() }
        /// Called with the session before it ends.
        var save: @Sendable (any REPLSession) async throws(Refusal) -> Void = { _ in }
        /// Where others attach to the session.
        var socket: String?
        /// Called when a session has news that no line asked for; see ``news()``.
        var onNews: @Sendable () -> Void = {}
    }
}
