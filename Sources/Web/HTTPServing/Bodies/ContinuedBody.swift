import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// A body that the client sends when it is told to: as soon as it is read (RFC 9110, 10.1.1).
private struct ContinuedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let channel: any Channel

    struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: RequestBody.AsyncIterator
        var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            if let channel {
                channel.writeAndFlush(
                    HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
                self.channel = nil
            }
            return try await iterator.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: body.makeAsyncIterator(), channel: channel)
    }
}

extension Request {
    /// The request, whose client is told to send the body when it is read, if it waits for that.
    func continuing(on channel: any Channel) -> Request {
        guard headers.value(of: "Expect")?.lowercased() == "100-continue" else { return self }
        var request = self
        request.body = RequestBody(asyncSequence: ContinuedBody(body: body, channel: channel))
        return request
    }
}
