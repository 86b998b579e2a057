import NIOHTTP1
import PlainValue
import WorkerKit

/// `http.request`: a request of any method with its complete response.
struct HTTPRequest: PluginWorker {
    static let name = "http.request"
    static let summary = "Sends a request of any method, and gives the whole answer."
    static let needs: [WorkerNeed] = ["http={url}"]

    struct Input: Codable, Sendable {
        var method: String
        var url: String
        var headers: [String: String]?
        var body: String?
        var json: Value?
        var timeout: Double?
        var max_bytes: Int?
        /// Further attempts after a failure; none by default.
        var retry: Retry?
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Response {
        let call = try Call(
            try Call.method(input.method), input.url, headers: input.headers, body: input.body,
            json: input.json)
        return try await Exchange(context: context).answer(
            to: call, timeout: input.timeout, bytes: input.max_bytes, retrying: input.retry)
    }
}
