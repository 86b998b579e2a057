import FlowPrinting
package import Terminal
package import WorkerKit
package import WorkflowKit
import WorkflowLua

extension REPL {
    /// What a REPL is made with.
    package struct Settings: Sendable {
        package var options = FlowOptions()
        package var style = Style(isColored: false)
        /// The style of what goes to standard error.
        package var errorStyle = Style(isColored: false)
        /// The width of the terminal.
        package var columns: @Sendable () -> Int = { 80 }
        /// What interrupts a call into a flow that takes too long.
        package var interrupt = SessionInterrupt()
        /// What to go on from.
        package var snapshot: FlowSnapshot?
        /// What workers may reach that a flow runs, whose folder is where paths start.
        package var makeGrants: @Sendable (String?) throws(Refusal) -> Grants = { _ in Grants() }
        /// Called with the session before it ends.
        package var save: @Sendable (any REPLSession) async throws(Refusal) -> Void = { _ in }
        /// Where others attach to the session.
        package var socket: String?
        /// Called when a session has news that no line asked for; see ``news()``.
        package var onNews: @Sendable () -> Void = {}

        package init() {}
    }
}
