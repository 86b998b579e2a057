package import NIOCore

package struct ListenerLimits: Sendable {
    /// The connections at a time; further ones are refused.
    package var connections: Int
    /// The bytes of all headers of a request.
    package var headers: Int
    /// The time after which a connection without requests, or without a reader, is closed.
    package var idle: TimeAmount
    /// The time for the headers of a request, from its first byte.
    package var headerTime: TimeAmount

    package init(connections: Int, headers: Int, idle: TimeAmount, headerTime: TimeAmount) {
        self.headerTime = headerTime
        self.connections = connections
        self.headers = headers
        self.idle = idle
    }
}
