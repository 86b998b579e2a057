public import PlainValue
import Workflow
public import WorkflowKit
public import WorkflowLua

extension FlowSession {
    /// Why a value in the rendering is what it is.
    ///
    /// Steps are played again aside, with something put back each time. Nothing is changed by it, and nobody is told of it.
    ///
    /// - Parameters:
    ///   - path: Where the value stands in the rendering; an empty path is the whole rendering.
    ///   - step: The step after which it is looked at; by default the one that is shown.
    /// - Throws: A `FlowError` if there is nothing at the path, if what is played again is not what is shown, if the session
    ///   keeps no timeline, or if its scripts run in a process of their own.
    public func origin(
        of path: ValuePath, at step: Int? = nil
    ) throws(FlowError) -> ValueOrigin {
        try player.lookBack(from: step) { past throws(FlowError) in
            try OriginSearch.origin(of: path, in: past, secrets: secrets).hiding(secrets)
        }
    }

    /// Why a node in Lua was rendered last: what has changed of its props and its state, and where that comes from.
    ///
    /// - Parameters:
    ///   - node: The path of the node, such as `todo/item:2`.
    ///   - step: The step up to which; by default the one that is shown.
    /// - Throws: As ``origin(of:at:)``, and a `FlowError` if there is no such node.
    public func origin(
        ofNode node: String, at step: Int? = nil
    ) throws(FlowError) -> ValueOrigin {
        guard let path = NodePath(node) else {
            throw FlowError(.unknownNode, "'\(node)' is not the path of a node")
        }
        return try player.lookBack(from: step) { past throws(FlowError) in
            try OriginSearch.origin(of: path, in: past, secrets: secrets).hiding(secrets)
        }
    }
}

extension ValueOrigin {
    /// The same without what is secret.
    fileprivate func hiding(_ secrets: SecretTexts) -> ValueOrigin {
        var origin = self
        origin.path = secrets.named(path)
        for index in findings.indices {
            origin.findings[index].subject = secrets.named(findings[index].subject)
            origin.findings[index].detail = secrets.masked(findings[index].detail)
        }
        return origin
    }
}
