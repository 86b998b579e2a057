package import PlainValue
package import WorkflowKit
package import WorkflowLua

/// A call of a client to a session, as in the JSON protocol: an action, a sink of the rendering, or new
/// props.
package struct FlowCall: Sendable {
    private let request: FlowRequest
    /// The call as a flow's `access` gets it: the verb as `do`, and the fields.
    package let document: Value

    /// Reads and checks a call.
    ///
    /// - Parameters:
    ///   - verb: `send` or `props`.
    ///   - fields: The fields of the request.
    /// - Throws: A `FlowError` with the code `bad_request`.
    package init(_ verb: String, _ fields: Value.Record) throws(FlowError) {
        document = .record(fields.merging(["do": .string(verb)]))
        request = try FlowRequest(document)
    }

    /// The call with the sink itself, if it names the sink by its path.
    ///
    /// - Throws: A `FlowError` if there is no sink at the path, or another one than in the named step.
    package func naming(sinkOf session: isolated FlowSession) throws(FlowError) -> FlowCall {
        guard case .sinkAt(let path, let step, let fields) = request else { return self }
        let sink = try session.sink(at: path, asOf: step)
        return try FlowCall("send", ["sink": sink, "with": .record(fields)])
    }

    /// Executes the call.
    ///
    /// - Parameter principal: The caller.
    /// - Throws: The session's `FlowError`.
    package func take(
        in session: isolated FlowSession, by principal: String?
    ) throws(FlowError) {
        switch request {
        case .send(let action, let node): try session.send(action, to: node, by: principal)
        case .sink(let sink, let fields): try session.send(sink: sink, with: fields, by: principal)
        case .sinkAt(let path, _, let fields):
            let sink = try session.sink(at: path, asOf: nil)
            try session.send(sink: sink, with: fields, by: principal)
        case .props(let props): try session.update(props: props, by: principal)
        default: throw FlowError(.badRequest, "a session does not take this")
        }
    }
}
