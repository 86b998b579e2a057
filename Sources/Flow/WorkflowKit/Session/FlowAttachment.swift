import WorkflowLua

/// A receiver of a session's events outside the session, such as the clients of a socket.
package protocol FlowAttachment: AnyObject, Sendable {
    /// True if the attachment needs no more events.
    var isClosed: Bool { get }

    /// Called on the session with each event.
    func receive(_ event: FlowEvent)

    /// Called on the session before it ends.
    func sessionWillEnd()

    /// Called when the session has ended.
    func close() async
}

extension FlowSession {
    /// Passes each event from now on to an attachment, until it or the session is closed.
    package func attach(_ attachment: any FlowAttachment) { log.attach(attachment) }

    package var isAttended: Bool { !log.attachments.isEmpty }

    /// The number of the attached client whose request is being served; `nil` for none.
    package var client: Int? {
        get { log.client }
        set { log.client = newValue }
    }

    package var isClosed: Bool { player.isClosed }

    /// The events that describe the session to a new client as if it had begun now, and the number
    /// of the last event before them; `nil` for a closed session.
    ///
    /// - Parameter isWanted: False if the client needs only the number.
    package func greeting(isWanted: Bool) -> (sequence: Int, events: [FlowEvent.Kind])? {
        guard isWanted || isClosed else { return (log.sequence, []) }
        guard let flow = player.flow, let tree = player.tree, var header = player.header else {
            return nil
        }
        if let file = header.file { header.file = resolvedPath(file) ?? file }
        header.hash = flow.hash
        header.props = tree.props
        header.step = tree.step
        // A client without a snapshot can do everything except record.
        header.snapshot = try? player.makeSnapshot().document
        return (
            log.sequence,
            [
                .ready(header),
                .rendering(rendering, actions: flow.actionTypes, pass: player.pass),
            ]
        )
    }
}
