import PlainValue
import RawHTTP

struct InspectorClient {
    let service: TestService
    let session: String
    let headers: [String]
    let client: RawClient
    /// The first event, which identifies the stream.
    let hello: Value

    /// Opens a stream, and reads up to the first news.
    init(
        _ service: TestService, _ session: String, _ headers: [String]? = nil, fork: Int? = nil
    ) async throws {
        self.service = service
        self.session = session
        self.headers = headers ?? [service.bearer]
        let query = fork.map { "?session=\($0)" } ?? ""
        client = try await RawClient(
            port: service.port,
            sending: RawRequest.get("/inspect/\(session)/stream\(query)", self.headers).text)
        let text = await client.read(until: "\"type\":\"news\"")
        let line = text.split(separator: "\n").first { $0.hasPrefix("data: {") } ?? ""
        hello = (try? Value(json: String(line.dropFirst(6)))) ?? .null
    }

    var stream: String { hello["stream"]?.string ?? "" }

    func ask(_ body: Value) async throws -> RawAnswer {
        try await service.ask(.post("/inspect/\(session)/request?stream=\(stream)", body, headers))
    }

    func value(_ body: Value) async throws -> Value { try await ask(body).json["value"] ?? .null }

    func shown(_ name: String = "count", step: Int? = nil) async throws -> Value? {
        var body: Value.Record = ["do": "value", "of": "rendering", "path": .string(name)]
        body["step"] = step.map { .int($0) }
        return try await value(.record(body))["slice"]
    }
}

extension TestService {
    func begin(_ id: String) async throws {
        _ = try await ask(.post("/sessions", ["flow": "counter", "id": .string(id)], [bearer]))
    }

    @discardableResult func add(_ id: String, _ number: Int = 1) async throws -> RawAnswer {
        let action: Value = ["type": "add", "n": .int(number)]
        return try await ask(.post("/sessions/\(id)/actions", ["action": action], [bearer]))
    }

    func post(_ path: String, _ body: Value = [:]) async throws -> RawAnswer {
        try await ask(.post(path, body, [bearer]))
    }
}
