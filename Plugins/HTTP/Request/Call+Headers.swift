import NIOHTTP1
import WorkerKit

extension Call {
    /// Headers by which a flow could reach an ungranted server, or break the request's framing.
    private static let reserved: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// - Throws: A ``WorkerError`` with the code `bad_input`.
    mutating func set(_ name: String, _ value: String) throws(WorkerError) {
        let marks = "!#$%&'*+-.^_`|~".utf8
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isAlphanumeric || marks.contains($0) })
        else {
            throw WorkerError("bad_input", "\(name.debugDescription) is not the name of a header")
        }
        guard !Self.reserved.contains(name.lowercased()) else {
            throw WorkerError(
                "bad_input", "the header '\(name)' cannot be set",
                help: "it is made from the URL and the body")
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            throw WorkerError(
                "bad_input", "the header '\(name)' has a line break or a control character")
        }
        headers.replaceOrAdd(name: name, value: value)
    }

    /// Lets a server recognise a repeated request, unless the flow has set the header.
    mutating func setIdempotencyKey(_ identity: WorkerIdentity?) {
        guard let identity, [.POST, .PUT, .PATCH, .DELETE].contains(method) else { return }
        setDefault("idempotency-key", identity.text)
    }

    /// Sets a header unless the flow has.
    mutating func setDefault(_ name: String, _ value: String) {
        if !headers.contains(name: name) { headers.add(name: name, value: value) }
    }
}

extension HTTPHeaders {
    /// The values by lower-case name. Repeated ones are joined with commas as HTTP defines, except
    /// those of `set-cookie`, which may contain commas; these are joined by line breaks.
    var byName: [String: String] {
        var values: [String: String] = [:]
        for (name, value) in self {
            let name = name.lowercased()
            // A server may send invalid UTF-8; it is U+FFFD here already.
            let separator = name == "set-cookie" ? "\n" : ", "
            values[name] = values[name].map { $0 + separator + value } ?? value
        }
        return values
    }
}
