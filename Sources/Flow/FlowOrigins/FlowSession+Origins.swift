public import PlainValue
public import Workflow
public import WorkflowKit
public import WorkflowLua

extension FlowSession {
    /// Explains why a value in the rendering is what it is.
    ///
    /// ```swift
    /// let origin = try await session.origin(of: ValuePath(parsing: "rows[1].done"))
    /// print(origin.since, origin.findings.last?.subject ?? "")  // 2 toggle { id = 1 }
    /// ```
    ///
    /// - Important: Steps are played again in a copy, each time without a change. That takes many
    ///   times as long as the steps did, and the session, which stays as it is, waits for it.
    ///
    /// - Parameters:
    ///   - path: The path of the value in the rendering; an empty path is the whole rendering.
    ///   - step: The step after which the value is explained; by default the shown step.
    /// - Throws: A `FlowError` if there is no value at the path, if playing again gives another
    ///   result, or if the session keeps no timeline.
    public func origin(of path: ValuePath, at step: Int? = nil) throws(FlowError) -> ValueOrigin {
        try OriginSearch.origin(of: path, in: past(from: step), secrets: secrets).hiding(secrets)
    }

    /// Explains why a value is what it is: of the rendering, of a state, of props or of an action.
    ///
    /// ```swift
    /// let text = try ValuePath(parsing: "item.text")
    /// let origin = try await session.origin(of: .props(text, of: "todo/item:1"), through: 3)
    /// ```
    ///
    /// - Parameters:
    ///   - subject: The value.
    ///   - step: The step after which the value is explained; by default the shown step.
    ///   - depth: The number of writes that are followed, one after the other, through the values
    ///     that they read. The last finding names the values that were not followed.
    /// - Throws: As ``origin(of:at:)``.
    public func origin(
        of subject: OriginSubject, at step: Int? = nil, through depth: Int
    ) throws(FlowError) -> ValueOrigin {
        try OriginSearch.origin(
            of: subject, in: past(from: step), secrets: secrets, through: depth
        ).hiding(secrets)
    }

    /// Explains why an expression has its value at the place where a debugger has stopped.
    package func origin(
        ofExpression text: String, in frame: FlowFrame, through depth: Int
    ) throws(FlowError) -> ValueOrigin {
        try OriginSearch.origin(
            ofExpression: text, in: frame, past: past(from: frame.step), secrets: secrets,
            through: depth, limits: options.limits
        ).hiding(secrets)
    }

    /// Explains why a Lua node was last rendered: what changed of its props and state, and by what.
    ///
    /// ```swift
    /// let render = try await session.origin(ofNode: "todo/item:1")
    /// print("since step", render.since, render.findings.map(\.subject))
    /// ```
    ///
    /// - Parameters:
    ///   - node: The path of the node, such as `todo/item:2`.
    ///   - step: The last step to consider; by default the shown step.
    /// - Throws: As ``origin(of:at:)``, and a `FlowError` if there is no such node.
    public func origin(
        ofNode node: NodePath, at step: Int? = nil
    ) throws(FlowError) -> ValueOrigin {
        try OriginSearch.origin(of: node, in: past(from: step), secrets: secrets).hiding(secrets)
    }

    private func past(from step: Int?) throws(FlowError) -> Past {
        let step = step ?? self.step
        let rendering = try rendering(at: step)
        guard let flow = past.flow else { throw FlowError(.closed) }
        return Past(session: past, flow: flow, step: step, rendering: rendering)
    }
}

extension ValueOrigin {
    fileprivate func hiding(_ secrets: SecretTexts) -> ValueOrigin {
        func named(_ text: String) -> String { secrets.naming(.string(text)).string ?? text }
        var origin = self
        origin.path = named(path)
        for index in findings.indices {
            origin.findings[index].subject = named(findings[index].subject)
            origin.findings[index].detail =
                secrets.hiding(.string(findings[index].detail)).string ?? ""
        }
        return origin
    }
}
