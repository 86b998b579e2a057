package import PlainValue

/// A request that can be invalid in every part.
package struct RawRequest {
    package var method = "GET"
    package var path = "/"
    package var host: String? = "127.0.0.1"
    package var headers: [String] = []
    package var body: String?

    package init(
        method: String = "GET", path: String = "/", host: String? = "127.0.0.1",
        headers: [String] = [], body: String? = nil
    ) {
        self.method = method
        self.path = path
        self.host = host
        self.headers = headers
        self.body = body
    }

    package var text: String {
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"]
        if let host { lines.append("Host: \(host)") }
        lines += headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// A request with a JSON body.
    package static func post(_ path: String, _ body: Value, _ headers: [String] = []) -> RawRequest
    {
        RawRequest(
            method: "POST", path: path, headers: ["Content-Type: application/json"] + headers,
            body: body.json)
    }

    package static func get(_ path: String, _ headers: [String] = []) -> RawRequest {
        RawRequest(path: path, headers: headers)
    }
}
