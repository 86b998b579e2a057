import NIOCore
import NIOHTTP1
import PlainValue
import WorkerKit

/// A validated request and its target.
struct Call: Sendable {
    var method: HTTPMethod
    var target: Target
    var headers: HTTPHeaders
    var body: ByteBuffer?

    /// - Throws: A ``WorkerError`` with the code `bad_input`.
    init(
        _ method: HTTPMethod, _ url: String, headers: [String: String]?, body: String? = nil,
        json: Value? = nil
    ) throws(WorkerError) {
        self.method = method
        target = try Target(url)
        self.headers = HTTPHeaders()
        // Sorted, so that a request is always the same.
        for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            try set(name, value)
        }
        setDefault("accept-encoding", "identity")
        setDefault("user-agent", "workflow-http/1.0")
        guard body == nil || json == nil else {
            throw WorkerError("bad_input", "there is both a body and a json", help: "give one")
        }
        if let json {
            self.body = ByteBuffer(string: json.json)
            setDefault("content-type", "application/json")
        } else if let body {
            self.body = ByteBuffer(string: body)
            setDefault("content-type", "text/plain; charset=utf-8")
        }
    }

    /// Parses a method, in any case.
    static func method(_ text: String) throws(WorkerError) -> HTTPMethod {
        let name = text.uppercased()
        let isWord =
            !name.isEmpty && name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        // CONNECT makes the server a proxy; TRACE returns the headers that it received.
        guard isWord, name.utf8.count <= 32, name != "CONNECT", name != "TRACE" else {
            throw WorkerError(
                "bad_input", "\(text.debugDescription) is not a method",
                help: "take one such as GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS")
        }
        return HTTPMethod(rawValue: name)
    }
}
