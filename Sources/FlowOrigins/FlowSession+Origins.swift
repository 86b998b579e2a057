public import PlainValue
import Workflow
public import WorkflowKit
public import WorkflowLua

extension FlowSession {
    /// Explains why a value in the rendering is what it is.
    ///
    /// Steps are played again in a copy, each time with a change undone. The session does not change and emits no
    /// events.
    ///
    /// - Parameters:
    ///   - path: The path of the value in the rendering; an empty path is the whole rendering.
    ///   - step: The step after which the value is explained; by default the shown step.
    /// - Throws: A `FlowError` if there is no value at the path, if playing again gives another result, or if the
    ///   session keeps no timeline.
    public func origin(
        of path: ValuePath, at step: Int? = nil
    ) throws(FlowError) -> ValueOrigin {
        try OriginSearch.origin(of: path, in: past(from: step), secrets: secrets).hiding(secrets)
    }

    /// Explains why a Lua node was last rendered: which of its props and its state changed, and what changed them.
    ///
    /// - Parameters:
    ///   - node: The path of the node, such as `todo/item:2`.
    ///   - step: The last step to consider; by default the shown step.
    /// - Throws: As ``origin(of:at:)``, and a `FlowError` if there is no such node.
    public func origin(
        ofNode node: String, at step: Int? = nil
    ) throws(FlowError) -> ValueOrigin {
        guard let path = NodePath(node) else {
            throw FlowError(.unknownNode, "'\(node)' is not the path of a node")
        }
        return try OriginSearch.origin(of: path, in: past(from: step), secrets: secrets)
            .hiding(secrets)
    }

    private func past(from step: Int?) throws(FlowError) -> Past {
        let step = step ?? self.step
        let rendering = try rendering(at: step)
        guard let flow = player.flow else { throw FlowError(.misuse, "the session is closed") }
        return Past(player: player, flow: flow, step: step, rendering: rendering)
    }
}

extension ValueOrigin {
    /// The origin without secrets.
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
