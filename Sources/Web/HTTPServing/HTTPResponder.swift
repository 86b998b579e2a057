package import HummingbirdCore
package import NIOCore

/// Answers the requests of a server.
package protocol HTTPResponder: Sendable {
    func respond(
        to request: Request, by writer: consuming ResponseWriter, on channel: any Channel
    ) async throws
}
