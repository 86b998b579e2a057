package import NIOCore

/// The most that a listener keeps for clients.
package struct ListenerLimits: Sendable {
    /// The connections at a time; those after them are refused.
    package var connections: Int
    /// The bytes of all headers of a request.
    package var headers: Int
    /// The time after which a connection without a request is closed, and one whose client takes nothing of a response.
    package var idle: TimeAmount

    package init(connections: Int, headers: Int, idle: TimeAmount) {
        self.connections = connections
        self.headers = headers
        self.idle = idle
    }
}
