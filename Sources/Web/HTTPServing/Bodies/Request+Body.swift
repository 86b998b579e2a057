package import HTTPTypes
package import HummingbirdCore
package import NIOCore
package import PlainValue

extension Request {
    /// The bytes of the body; a ``Problem`` if it is incomplete, or has more than `most` bytes.
    package func bytes(upTo most: Int) async throws(Problem) -> ByteBuffer {
        guard (contentLength ?? 0) <= most else { throw .tooLarge(most) }
        do {
            return try await body.collect(upTo: most)
        } catch is NIOTooManyBytesError {
            throw .tooLarge(most)
        } catch {
            throw .unreadable("it ends early")
        }
    }

    /// The length of the body, if the request has it; one beyond 2⁵³ is as long as can be.
    package var contentLength: Int? {
        headers[.contentLength].map { Int(natural: $0) ?? .max }
    }

    /// The JSON object of the body; a ``Problem`` for other content, and as ``bytes(upTo:)``.
    package func record(upTo most: Int) async throws(Problem) -> Value.Record {
        try requireJSON()
        return try record(in: try await bytes(upTo: most))
    }

    private func requireJSON() throws(Problem) {
        let type = headers[.contentType]?.prefix { !"; \t".contains($0) }
        guard type?.lowercased() == "application/json" else {
            throw Problem(
                .unsupportedMediaType, "bad_request", "Not a JSON body",
                detail: "Its Content-Type is application/json.")
        }
    }

    /// The JSON object in the bytes of the body; a ``Problem`` for other content.
    package func record(in bytes: ByteBuffer) throws(Problem) -> Value.Record {
        try requireJSON()
        let value: Value
        do throws(JSONError) {
            value = try Value(json: bytes.readableBytesView)
        } catch {
            throw .unreadable("\(error)")
        }
        guard let record = value.record else { throw .unreadable("it is \(value.kind)") }
        return record
    }
}

extension Response {
    package static func json(
        _ record: Value.Record, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var response = Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: Value.record(record).json + "\n")))
        response.headers[.contentType] = "application/json"
        return response
    }
}

extension Problem {
    package static func tooLarge(_ most: Int) -> Problem {
        Problem(
            .contentTooLarge, "too_large", "Body too large",
            detail: "It has at most \(most) bytes.")
    }

    /// A body that is not a JSON object.
    package static func unreadable(_ reason: String) -> Problem {
        Problem(
            .badRequest, "bad_request", "Unreadable request",
            detail: "Its body is to be a JSON object: \(reason).")
    }
}
