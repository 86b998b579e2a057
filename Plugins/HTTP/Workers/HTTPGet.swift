import NIOHTTP1
import WorkerKit

/// `http.get`: a GET request with its complete response.
struct HTTPGet: PluginWorker {
    static let name = "http.get"
    static let summary = "Gets a URL, and gives the whole answer."
    static let needs: [WorkerNeed] = ["http={url}"]

    struct Input: Codable, Sendable {
        var url: String
        var headers: [String: String]?
        /// The maximum time until the response is complete, in seconds.
        var timeout: Double?
        /// The maximum size of the body.
        var max_bytes: Int?
        /// Further attempts after a failure; none by default.
        var retry: Retry?
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Response {
        let call = try Call(.GET, input.url, headers: input.headers)
        return try await Exchange(context: context).answer(
            to: call, timeout: input.timeout, bytes: input.max_bytes, retrying: input.retry)
    }
}
