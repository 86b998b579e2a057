import WorkflowLua

/// Whoever is told of a session's events from outside, such as the clients of a socket.
package protocol FlowAttachment: AnyObject, Sendable {
    /// Whether it wants no events any more.
    var isClosed: Bool { get }

    /// Called on the session with each event.
    func receive(_ event: FlowEvent)

    /// Called on the session before it ends.
    func sessionWillEnd()

    /// Called when the session has ended.
    func close() async
}

extension FlowSession {
    /// Tells whoever attaches of each event from now on, until either of them is closed.
    package func attach(_ attachment: any FlowAttachment) { log.attach(attachment) }

    /// Whether anybody was attached and has not left.
    package var isAttended: Bool { !log.attachments.isEmpty }

    /// The number of the attached client whose request is being served; `nil` for none.
    package var client: Int? {
        get { log.client }
        set { log.client = newValue }
    }

    /// Whether the session has ended.
    package var isClosed: Bool { player.isClosed }

    /// The events that tell somebody new of the session as it is, as if it had begun now, and the number of the last
    /// event before them; `nil` for a session that is closed.
    ///
    /// - Parameter isWanted: Whether there are to be such events.
    package func greeting(
        isWanted: Bool
    ) -> (sequence: Int, events: [FlowEvent.Kind])? {
        guard isWanted || isClosed else { return (log.sequence, []) }
        guard let flow = player.flow, let tree = player.tree, var header = player.header else {
            return nil
        }
        if let file = header.file { header.file = resolvedPath(file) ?? file }
        header.hash = flow.hash
        header.props = tree.props
        header.step = tree.step
        // Without a snapshot everything but recording is possible.
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
