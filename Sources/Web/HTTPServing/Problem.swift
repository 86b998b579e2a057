import HTTPTypes
package import HummingbirdCore
import NIOCore
package import PlainValue

/// The reason why a request is refused, in the form of RFC 9457.
package struct Problem: Error {
    package enum Status: Int, Sendable {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case conflict = 409
        case preconditionFailed = 412
        case contentTooLarge = 413
        case uriTooLong = 414
        case unsupportedMediaType = 415
        case unprocessableContent = 422
        case tooManyRequests = 429
        case headersTooLarge = 431
        case internalServerError = 500
        case notImplemented = 501
        case badGateway = 502
        case serviceUnavailable = 503
        case versionNotSupported = 505
    }

    package let status: Status
    /// The code for programs.
    package let code: String
    package let title: String
    package let detail: String
    /// The seconds after which the request may be repeated.
    package let retryAfter: Int?
    /// Further members of the response.
    package var members: Value.Record = [:]
    /// The text for the log instead of `detail`; it may say more.
    package var report: String?
    /// True if the server, or what it serves, needs attention.
    package var isFault = false
    /// The allowed methods.
    package var allow: [String] = []

    package init(
        _ status: Status, _ code: String, _ title: String, detail: String, retryAfter: Int? = nil
    ) {
        assert(retryAfter.map { $0 > 0 } ?? true)
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// The body of the response.
    var bytes: ByteBuffer {
        var body: Value.Record = [
            "title": .string(title), "detail": .string(detail), "code": .string(code),
            "status": .int(status.rawValue),
        ]
        for (name, value) in members { body[name] = value }
        return ByteBuffer(string: Value.record(body).json + "\n")
    }

    package var response: Response {
        var response = Response(
            status: HTTPResponse.Status(code: status.rawValue),
            headers: [.contentType: "application/problem+json"],
            body: ResponseBody(byteBuffer: bytes))
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if !allow.isEmpty { response.headers[.allow] = allow.joined(separator: ", ") }
        return response
    }
}
