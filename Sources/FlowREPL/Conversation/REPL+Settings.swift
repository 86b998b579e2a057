package import Terminal
import WorkerKit
package import WorkflowKit
import WorkflowLua

extension REPL {
    /// The settings of a REPL.
    package struct Settings: Sendable {
        package var options = FlowOptions()
        package var style = Style(isColored: false)
        /// The style of what goes to standard error.
        package var errorStyle = Style(isColored: false)
        /// The width of the terminal.
        package var columns: @Sendable () -> Int = { 80 }
        /// True if outputs are cut to the width of a line.
        package var cutsOutputs = true
        /// The means to interrupt a call into a flow that takes too long.
        package var interrupt = SessionInterrupt()
        /// The snapshot to go on from.
        package var snapshot: FlowSnapshot?
        /// Sets what the workers of a flow may reach, which has this path.
        package var setGrants: @Sendable (inout FlowOptions, String) throws -> Void = {
            options, _ in options.grants = Grants()
        }
        /// Called with the session before it ends.
        package var save: @Sendable (any REPLSession) async throws -> Void = { _ in }
        /// The path of the socket at which others attach to the session.
        package var socket: String?
        /// The path of the socket at which the page finds the session.
        package var pageSocket: String?
        /// Called when a session has news that no line asked for; see ``news()``.
        package var onNews: @Sendable () -> Void = {}

        package init() {}
    }
}
