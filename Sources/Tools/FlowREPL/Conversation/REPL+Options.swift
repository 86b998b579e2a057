package import Terminal
import WorkerKit
package import WorkflowKit

extension REPL {
    package struct Options: Sendable {
        package var flowOptions = FlowOptions()
        package var style = Style(isColored: false)
        package var errorStyle = Style(isColored: false)
        package var columns: @Sendable () -> Int = { 80 }
        /// True if an output is cut to one line.
        package var cutsOutputs = true
        /// Interrupts a call into a flow that takes too long.
        package var interrupt = SessionInterrupt()
        package var snapshot: FlowSnapshot?
        /// Sets the grants of the workers of a flow at a path.
        package var setGrants: @Sendable (inout FlowOptions, String) throws -> Void = {
            options, _ in options.grants = Grants()
        }
        /// Called with a session before it ends.
        package var save: @Sendable (any REPLSession) async throws -> Void = { _ in }
        /// The path of the socket for `attach`.
        package var socket: String?
        package var pageSocket: String?
        /// Called when a session has news that no line caused; see ``news()``.
        package var onNews: @Sendable () -> Void = {}

        package init() {}
    }
}
