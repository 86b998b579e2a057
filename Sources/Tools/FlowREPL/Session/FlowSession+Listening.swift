import FlowPrinting
import FlowProtocol
package import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// Listens at a path, if there is one; throws a ``Refusal``.
    package func listen(ifAskedAt path: String?, greets: Bool = true) throws {
        guard let path else { return }
        do throws(FlowError) {
            try listen(at: path, greets: greets)
        } catch {
            throw Refusal(error, .io)
        }
    }
}
