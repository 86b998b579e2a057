/// The settings of an ``InspectorServer``.
public struct InspectorOptions: Sendable {
    /// The path of the session's Unix socket.
    public var socket: String
    /// The port to listen at; 0 lets the system choose one.
    public var port = 0
    /// The rights of clients that have the URL.
    public var scopes = InspectorScope.allCases
    /// Host names of the page besides `127.0.0.1`, `[::1]` and `localhost`.
    public var hosts: [String] = []
    /// The name of ``hosts`` for who reads a refusal.
    package var hostsName = "InspectorOptions.hosts"
    /// The folder of the page's files; by default the embedded ones.
    public var folder: String?
    package var limits = InspectorLimits()

    /// Makes options; each of the others has a default.
    ///
    /// ```swift
    /// var options = InspectorOptions(socket: "/tmp/todo.sock")
    /// options.scopes = [.view]
    /// ```
    public init(socket: String) { self.socket = socket }
}

package struct InspectorLimits: Sendable {
    /// The connections at a time; further ones are refused.
    var connections = 128
    /// The streams at a time.
    var streams = 24
    /// The bytes of a request's body.
    var body = 1 << 20
    /// The bytes of all headers of a request.
    var headers = 16 << 10
    /// The requests of a session connection that wait for replies.
    var pending = 64
    /// No more news is read while this many bytes wait for a browser.
    var news = 1 << 20
    /// The bytes of a line from the session.
    var line = 64 << 20
    /// The shared links.
    var shares = 64
    /// The time after which a connection without a request is closed.
    var idleTime = Duration.seconds(30)
    /// The time for the headers of a request to arrive, from its first byte.
    var headerTime = Duration.seconds(5)
    /// The time between heartbeats of a stream.
    package var heartbeatInterval = Duration.seconds(15)
    /// The time that streams have to say goodbye when the server is closed.
    var farewell = Duration.milliseconds(500)
}

/// A right of a page.
public enum InspectorScope: String, Sendable, CaseIterable {
    /// To see all of the session.
    case view
    /// To send actions and props, and to interrupt.
    case act
    /// To go to other steps, to drop steps, and to act for workers.
    case travel
    /// To evaluate expressions, to log lines, and to reload the flow.
    case evaluate
}
