package import HummingbirdCore
package import NIOCore

/// Answers the requests of a server.
package protocol HTTPResponder: Sendable {
    /// Answers a request by writing a response.
    func respond(
        to request: Request, by writer: consuming ResponseWriter, on channel: any Channel
    ) async throws
}
