import FlowPrinting
import FlowServing
package import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// Opens the socket that was asked for, if one was.
    ///
    /// - Throws: A ``Refusal`` if it cannot be made.
    package func listen(ifAskedAt path: String?, greets: Bool = true) throws {
        guard let path else { return }
        do throws(FlowError) {
            try listen(at: path, greets: greets)
        } catch {
            throw Refusal(error, .io)
        }
    }
}
