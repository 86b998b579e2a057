import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PlainValue
import WorkerKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A complete response, as flows receive it.
struct Response: Codable, Sendable {
    var status: Int
    /// Its URL, after redirects.
    var url: String
    /// The headers by lower-case name.
    var headers: [String: String]
    /// The body if it is text.
    var body: String?
    /// The body if it is not text.
    var base64: String?
    /// The body if it is declared as JSON and valid.
    var json: Value?
}

extension Response {
    /// Reads a response to its end. Throws `too_large`, or an error of the transfer.
    init(
        _ response: HTTPClientResponse, from target: Target, isHead: Bool, maximum: Int
    ) async throws {
        let tooLarge = WorkerError.tooLarge("the answer of \(target.authority)", maximum)
        // A response to HEAD has the length of a body, but no body.
        if !isHead, let length = response.headers.first(name: "content-length"),
            let length = Int(length), length > maximum
        {
            throw tooLarge
        }
        var bytes: [UInt8] = []
        for try await chunk in response.body {
            guard bytes.count + chunk.readableBytes <= maximum else { throw tooLarge }
            bytes += chunk.readableBytesView
        }
        try Task.checkCancellation()
        let type = ContentType(response.headers.first(name: "content-type") ?? "")
        self.init(
            status: Int(response.status.code), url: target.url, headers: response.headers.byName)
        body = type.text(of: bytes)
        if body == nil { base64 = Data(bytes).base64EncodedString() }
        if type.isJSON { json = Self.json(bytes) }
    }

    /// The JSON of a body, unless it makes the response too large or too deep for an output.
    private static func json(_ bytes: [UInt8]) -> Value? {
        let limits = ValueLimits(depth: 120, byteCount: 8 * 1024 * 1024)
        return try? Value(json: bytes, limits: limits)
    }
}
