import AsyncHTTPClient
import NIOHTTP1
import PlainValue
import WorkerKit

/// `http.lines`: the lines of a response as they arrive.
struct HTTPLines: EmittingPluginWorker {
    static let name = "http.lines"
    static let summary = "Gives the lines of an answer, each as soon as it is there."
    static let needs: [WorkerNeed] = ["http={url}"]

    struct Input: Codable, Sendable {
        var url: String
        var method: String?
        var headers: [String: String]?
        var body: String?
        var json: Value?
        /// The maximum time until the response starts, in seconds.
        var timeout: Double?
        /// The maximum time without a byte after that, in seconds; unlimited by default.
        var idle_timeout: Double?
        /// The maximum size of a line.
        var max_bytes: Int?
    }

    /// First the start of the response, then each line.
    struct Output: Codable, Sendable {
        var status: Int?
        var url: String?
        var headers: [String: String]?
        var line: String?
    }

    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        let call = try Call(
            try Call.method(input.method ?? "GET"), input.url, headers: input.headers,
            body: input.body, json: input.json)
        let limits = try Limits(
            timeout: input.timeout, idle: input.idle_timeout, bytes: input.max_bytes)
        let (response, target) = try await Exchange(context: context).begin(call, within: limits)
        try await outputs.send(
            Output(
                status: Int(response.status.code), url: target.url,
                headers: response.headers.byName))
        let arrival = Arrival(response.body, of: target, within: limits, on: context.clock)
        let end = try await arrival.read(into: State(reader: LineReader(maximum: limits.bytes))) {
            state, bytes in
            for line in try state.reader.lines(adding: bytes) {
                try await outputs.send(try state.output(line))
            }
        }
        var state = end
        if let rest = state.reader.rest { try await outputs.send(try state.output(rest)) }
    }

    private struct State: Sendable {
        var reader: LineReader
        var number = 0

        mutating func output(_ bytes: [UInt8]) throws(WorkerError) -> Output {
            number += 1
            guard let line = String(validating: bytes, as: UTF8.self) else {
                throw WorkerError(
                    "not_text", "line \(number) of the answer is not UTF-8",
                    help: "take http.get, which gives such a body as base64")
            }
            return Output(line: line)
        }
    }
}
