package import HTTPTypes
package import HummingbirdCore
package import NIOCore
package import PlainValue

extension Request {
    /// The bytes of the body, which says that it is JSON.
    ///
    /// - Throws: A ``Problem``: for another type of content, for more bytes than `most`, or for a body that ends early. What
    ///   is left of a body that is too large is not read.
    package func jsonBytes(upTo most: Int) async throws(Problem) -> ByteBuffer {
        let type = headers[.contentType]?.split(separator: ";").first
        guard type?.lowercased() == "application/json" else {
            throw Problem(
                .unsupportedMediaType, "bad_request", "The body is no JSON",
                detail: "Its Content-Type is application/json.")
        }
        guard (contentLength ?? 0) <= most else { throw .tooLarge(most) }
        do {
            return try await body.collect(upTo: most)
        } catch is NIOTooManyBytesError {
            throw .tooLarge(most)
        } catch {
            throw .unreadable("it ends early")
        }
    }

    /// How many bytes the body has, where the request says so.
    package var contentLength: Int? { headers[.contentLength].flatMap { Int($0) } }

    /// The object that the body is in JSON; see ``jsonBytes(upTo:)``.
    package func record(upTo most: Int) async throws(Problem) -> Value.Record {
        let bytes = try await jsonBytes(upTo: most)
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
    /// A response that is an object in JSON.
    package static func json(
        _ record: Value.Record, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var response = Response(
            status: status, headers: headers,
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: Value.record(record).json + "\n")))
        response.headers[.contentType] = "application/json"
        return response
    }
}

extension Problem {
    /// A body of more bytes than are taken.
    package static func tooLarge(_ most: Int) -> Problem {
        Problem(
            .contentTooLarge, "too_large", "The request is too large",
            detail: "It has at most \(most) bytes.")
    }

    /// A body that is no object in JSON.
    package static func unreadable(_ reason: String) -> Problem {
        Problem(
            .badRequest, "bad_request", "The request cannot be read",
            detail: "Its body is to be a JSON object: \(reason).")
    }
}
