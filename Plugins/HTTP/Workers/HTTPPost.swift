import NIOHTTP1
import PlainValue
import WorkerKit

/// `http.post`: a POST request with its complete response.
struct HTTPPost: PluginWorker {
    static let name = "http.post"
    static let summary = "Posts a text or JSON to a URL, and gives the whole answer."
    static let needs: [WorkerNeed] = ["http={url}"]

    struct Input: Codable, Sendable {
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
            .POST, input.url, headers: input.headers, body: input.body, json: input.json)
        return try await Exchange(context: context).answer(
            to: call, timeout: input.timeout, bytes: input.max_bytes, retrying: input.retry)
    }
}
