import WorkerKit

/// Builds server-sent events from lines, as in "interpreting an event stream" of the HTML standard.
struct EventReader: Sendable {
    /// The maximum size of an event in bytes.
    let maximum: Int
    private var isAtStart = true
    private var data: [String] = []
    private var size = 0
    private var name = ""
    private var id: String
    private var retry: Int?

    /// - Parameter lastID: The `id` of the last event before this stream; may be empty.
    init(lastID: String, maximum: Int) {
        id = lastID
        self.maximum = maximum
    }

    /// The event that a line without its line end completes. Throws `too_large`.
    mutating func event(afterLine bytes: [UInt8]) throws(WorkerError) -> ServerEvent? {
        var line = String(decoding: bytes, as: UTF8.self)
        if isAtStart {
            isAtStart = false
            if line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
        }
        guard !line.isEmpty else { return takeEvent() }
        let scalars = line.unicodeScalars
        let colon = scalars.firstIndex(of: ":") ?? scalars.endIndex
        var value = scalars[colon...].dropFirst()
        if value.first == " " { value.removeFirst() }
        try takeField(String(scalars[..<colon]), String(value))
        return nil
    }

    private mutating func takeField(_ field: String, _ value: String) throws(WorkerError) {
        switch field {
        case "data":
            size += value.utf8.count + 1
            guard size <= maximum + 1 else { throw .tooLarge("an event", maximum) }
            data.append(value)
        case "event": name = value
        case "id": if !value.utf8.contains(0) { id = value }
        case "retry":
            if !value.isEmpty, value.utf8.allSatisfy(\.isDigit) { retry = Int(value) }
        // A comment has an empty name. Unknown fields are skipped.
        default: break
        }
    }

    private mutating func takeEvent() -> ServerEvent? {
        defer {
            data = []
            size = 0
            name = ""
        }
        guard !data.isEmpty else { return nil }
        return ServerEvent(
            id: id.isEmpty ? nil : id, event: name.isEmpty ? "message" : name,
            data: data.joined(separator: "\n"), retry: retry)
    }
}

/// A server-sent event, as flows receive it.
struct ServerEvent: Codable, Sendable, Equatable {
    /// The last `id` of the server so far.
    var id: String?
    /// The event's name; `message` by default.
    var event: String
    var data: String
    /// The delay before reconnecting in milliseconds, if the server has sent one so far.
    var retry: Int?
}
