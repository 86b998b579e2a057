import FlowProtocol
import InspectorServer
import Synchronization
package import WorkflowKit

/// A page that shows a session in a browser; see `FlowSession.inspect(at:scopes:hosts:)`.
///
/// ```swift
/// let page = try await session.inspect(scopes: [.view, .act])
/// print(page.address)
/// await page.close()
/// ```
///
/// It is served until ``close()``, or until its session is closed.
public final class FlowInspection: Sendable {
    /// The URL of the page, with the token that gives access to it.
    public let address: String
    /// The port of the page.
    public let port: Int
    private let server: InspectorServer
    private let socket: FlowSocket
    private let place: PrivateSocket
    private let hasEnded = Atomic(false)

    init(server: InspectorServer, socket: FlowSocket, place: PrivateSocket) {
        self.server = server
        self.socket = socket
        self.place = place
        address = server.address
        port = server.port
    }

    /// Ends all pages and serves no more. The session continues.
    ///
    /// ```swift
    /// let page = try await session.inspect()
    /// await page.close()
    /// try await session.send(["type": "add", "text": "milk"])
    /// ```
    public func close() async {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        await socket.close()
        await server.close()
        place.remove()
    }
}

extension FlowInspection: FlowAttachment {
    /// True after ``close()``.
    package var isClosed: Bool { hasEnded.load(ordering: .relaxed) }

    /// The page gets events from its socket.
    package func receive(_ event: FlowEvent) {}

    package func sessionWillEnd() {}
}
