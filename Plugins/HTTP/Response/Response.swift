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

/// A whole answer, as flows receive it.
struct Response: Codable, Sendable {
    var status: Int
    /// The URL that it is from, after redirects.
    var url: String
    /// By name in lower case.
    var headers: [String: String]
    /// The body, if it is text.
    var body: String?
    /// The body, if it is not.
    var base64: String?
    /// The body, if it says that it is JSON, and is.
    var json: Value?
}

extension Response {
    /// Reads an answer to its end.
    ///
    /// - Throws: A ``WorkerError`` with the code `too_large`, or what goes wrong on the way.
    init(
        _ response: HTTPClientResponse, from target: Target, isHead: Bool, maximum: Int
    ) async throws {
        let tooLarge = WorkerError.tooLarge("the answer of \(target.authority)", maximum)
        // An answer to HEAD tells the length of a body that it does not have.
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

    /// The JSON in a body, unless it would make the answer too large or too deep to hand over.
    private static func json(_ bytes: [UInt8]) -> Value? {
        let limits = ValueLimits(depth: 120, byteCount: 8 * 1024 * 1024)
        return try? Value(json: bytes, limits: limits)
    }
}
