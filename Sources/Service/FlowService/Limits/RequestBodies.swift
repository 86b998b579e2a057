import HTTPServing
import HummingbirdCore
import NIOCore
import Synchronization

/// Reads the bodies of requests, with a limit for each and for all together.
final class RequestBodies: Sendable {
    private let count = Atomic(0)
    private let limits: ServiceLimits

    init(_ limits: ServiceLimits) { self.limits = limits }

    var bytes: Int { count.load(ordering: .relaxed) }

    /// Calls a function with a request whose body is in memory, and closes the connection if that
    /// does not arrive in time. Throws a ``Problem`` if the body is too large or there is no room
    /// for it.
    func with<Result>(
        _ request: Request, on channel: any Channel,
        _ body: (Request) async throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        var size = 0
        defer {
            let left = count.subtract(size, ordering: .relaxed).newValue
            assert(left >= 0)
        }
        var request = request
        request.body = RequestBody(buffer: try await read(request, on: channel, counting: &size))
        return try await body(request)
    }

    private func read(
        _ request: Request, on channel: any Channel, counting size: inout Int
    ) async throws(Problem) -> ByteBuffer {
        guard (request.contentLength ?? 0) <= limits.body else { throw .tooLarge(limits.body) }
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.bodyTime)) {
            channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        var bytes = ByteBuffer()
        do {
            for try await part in request.body {
                let length = part.readableBytes
                size += length
                let all = count.add(length, ordering: .relaxed).newValue
                guard size <= limits.body else { throw Problem.tooLarge(limits.body) }
                guard all <= limits.bodies else { throw Problem.tooManyBodies }
                bytes.writeImmutableBuffer(part)
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .unreadable("it does not come to its end")
        }
        return bytes
    }
}

extension Problem {
    fileprivate static let tooManyBodies = Problem(
        .serviceUnavailable, "overloaded", "Too many bodies",
        detail: "Send it again when other requests are answered.", retryAfter: 1)
}
