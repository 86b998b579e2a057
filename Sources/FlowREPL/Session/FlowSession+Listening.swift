import FlowPrinting
import FlowServing
package import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// Opens the socket that was asked for, if one was.
    ///
    /// - Throws: A ``Refusal`` if it cannot be made.
    package func listen(ifAskedAt path: String?) throws {
        guard let path else { return }
        do throws(FlowError) { try listen(at: path) } catch { throw Refusal(error, .io) }
    }
}
