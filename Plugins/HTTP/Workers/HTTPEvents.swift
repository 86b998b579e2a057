import AsyncHTTPClient
import NIOHTTP1
import PlainValue
import WorkerKit

/// `http.events`: the server-sent events of a response.
struct HTTPEvents: EmittingPluginWorker {
    static let name = "http.events"
    static let summary = "Gives server-sent events, each as soon as it is there."
    static let needs: [WorkerNeed] = ["http={url}"]

    struct Input: Codable, Sendable {
        var url: String
        var method: String?
        var headers: [String: String]?
        var body: String?
        var json: Value?
        /// The `id` of the last known event, to continue after it.
        var last_event_id: String?
        /// The maximum time until the response starts, in seconds.
        var timeout: Double?
        /// The maximum time without a byte after that, in seconds; unlimited by default.
        var idle_timeout: Double?
        /// The maximum size of an event.
        var max_bytes: Int?
    }

    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<ServerEvent>
    ) async throws {
        var call = try Call(
            try Call.method(input.method ?? "GET"), input.url, headers: input.headers,
            body: input.body, json: input.json)
        call.setDefault("accept", "text/event-stream")
        call.setDefault("cache-control", "no-store")
        if let id = input.last_event_id, !id.isEmpty { try call.set("Last-Event-ID", id) }
        let limits = try Limits(
            timeout: input.timeout, idle: input.idle_timeout, bytes: input.max_bytes)
        let (response, target) = try await Exchange(context: context).begin(call, within: limits)
        // With this status a server declares that no more events will come.
        if response.status == .noContent { return }
        try Self.check(response, from: target)
        let arrival = Arrival(response.body, of: target, within: limits, on: context.clock)
        let state = State(
            lines: LineReader(maximum: limits.bytes),
            events: EventReader(lastID: input.last_event_id ?? "", maximum: limits.bytes))
        _ = try await arrival.read(into: state) { state, bytes in
            for line in try state.lines.lines(adding: bytes) {
                guard let event = try state.events.event(afterLine: line) else { continue }
                try await outputs.send(event)
            }
        }
    }

    private struct State: Sendable {
        var lines: LineReader
        var events: EventReader
    }

    private static func check(
        _ response: HTTPClientResponse, from target: Target
    ) throws(WorkerError) {
        guard response.status == .ok else {
            throw WorkerError(
                "bad_status", "\(target.authority) answered \(response.status), not events")
        }
        let type = ContentType(response.headers.first(name: "content-type") ?? "").name
        guard type == "text/event-stream" else {
            throw WorkerError(
                "bad_type",
                "\(target.authority) answered with \(type.isEmpty ? "no type" : type), not with "
                    + "text/event-stream",
                help: "take http.lines for other streams")
        }
    }
}
