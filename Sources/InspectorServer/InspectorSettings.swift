/// The settings of an ``InspectorServer``.
public struct InspectorSettings: Sendable {
    /// The path of the Unix socket at which the session can be attached to.
    public var socket: String
    /// The port to listen at; 0 lets the system choose one.
    public var port = 0
    /// What those may do who have the address.
    public var scopes = InspectorScope.allCases
    /// Names by which the page may be reached beside `127.0.0.1`, `[::1]` and `localhost`.
    public var hosts: [String] = []
    /// The folder to serve the page's files from; those of the library unless it is given.
    public var folder: String?
    package var limits = InspectorLimits()

    /// Settings with the defaults above for all else.
    public init(socket: String) { self.socket = socket }
}

/// The most that is kept for clients.
package struct InspectorLimits: Sendable {
    /// The connections at a time; those after them are refused.
    var connections = 128
    /// The streams at a time.
    var streams = 24
    /// The bytes of a request's body.
    var body = 1 << 20
    /// The bytes of all headers of a request.
    var headers = 16 << 10
    /// The requests of a connection to the session that wait for their replies.
    var pending = 64
    /// From how many bytes of news on that wait for a browser no more are read.
    var news = 1 << 20
    /// The bytes of a line of the session.
    var line = 64 << 20
    /// The links with fewer scopes.
    var shares = 64
    /// The seconds after which a connection without a request is closed.
    var idleSeconds = 30
    /// The seconds between two signs of life of a stream.
    package var heartbeatSeconds = 15
}
