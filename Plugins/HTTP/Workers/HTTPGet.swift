import NIOHTTP1
import WorkerKit

/// `http.get`: one GET, and the whole answer.
struct HTTPGet: PluginWorker {
    static let name = "http.get"
    static let summary = "Gets a URL, and gives the whole answer."
    static let needs: [WorkerNeed] = ["http={url}"]

    struct Input: Codable, Sendable {
        var url: String
        var headers: [String: String]?
        /// The longest time until the answer is complete, in seconds.
        var timeout: Double?
        /// The largest body.
        var max_bytes: Int?
        /// How often it is tried again; not at all by default.
        var retry: Retry?
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Response {
        let call = try Call(.GET, input.url, headers: input.headers)
        let limits = try Limits(timeout: input.timeout, bytes: input.max_bytes)
        return try await Exchange(context: context).answer(
            to: call, within: limits, retrying: input.retry)
    }
}
