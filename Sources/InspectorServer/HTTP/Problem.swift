import HTTPTypes
import HummingbirdCore
import NIOCore
import PlainValue

/// The reason why a request is refused, as RFC 9457 says it.
struct Problem: Error {
    enum Status: Int {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case contentTooLarge = 413
        case unsupportedMediaType = 415
        case tooManyRequests = 429
        case badGateway = 502
        case serviceUnavailable = 503
    }

    let status: Status
    /// What programs tell it by.
    let code: String
    let title: String
    let detail: String
    /// The seconds after which it may be asked again.
    let retryAfter: Int?

    init(
        _ status: Status, _ code: String, _ title: String, detail: String,
        retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.retryAfter = retryAfter
    }

    var response: Response {
        let body = Value.record([
            "title": .string(title), "detail": .string(detail), "code": .string(code),
            "status": .int(status.rawValue),
        ])
        var response = Response(
            status: HTTPResponse.Status(code: status.rawValue),
            headers: [.contentType: "application/problem+json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body.json + "\n")))
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }

    static let notFound = Problem(
        .notFound, "not_found", "There is nothing here", detail: "The page is at /.")

    static let badRequest = Problem(
        .badRequest, "bad_request", "The request cannot be read",
        detail: "A request is a JSON object with a \"do\".")
}
