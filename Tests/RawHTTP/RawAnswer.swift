package import PlainValue

/// An unparsed HTTP answer.
package struct RawAnswer {
    package let status: Int
    package let head: String
    package let body: String

    package init(_ text: String) {
        let parts = text.split(
            separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        head = String(parts.first ?? "")
        body = parts.count > 1 ? String(parts[1]) : ""
        status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Sends text on a connection of its own, and reads as ``RawClient/read(until:)``.
    package init(to text: String, port: Int, until end: String? = nil) async throws {
        let client = try await RawClient(port: port, sending: text)
        self.init(await client.read(until: end))
        client.close()
    }

    package func header(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts[0].lowercased() == name.lowercased() {
                return parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            }
        }
        return nil
    }

    package var json: Value { (try? Value(json: body)) ?? .null }
    /// The code of a problem.
    package var code: String? { json["code"]?.string }
}

package protocol RawServer { var port: Int { get } }

extension RawServer {
    package func ask(_ request: RawRequest) async throws -> RawAnswer {
        try await RawAnswer(to: request.text, port: port)
    }
}
