package import PlainValue
import WorkflowLua

/// A request of the Debug Adapter Protocol.
///
/// See <https://microsoft.github.io/debug-adapter-protocol/specification>.
package struct DebugRequest: Sendable {
    package let number: Int
    package let command: String
    let arguments: Value

    package init?(_ message: Value) {
        guard message["type"]?.string == "request", let number = message["seq"]?.natural,
            let command = message["command"]?.string
        else { return nil }
        self.number = number
        self.command = command
        arguments = message["arguments"] ?? [:]
    }

    /// The end of the client, which did not ask for it. No client's request has its number.
    static let end = DebugRequest(number: -1, command: "disconnect")

    private init(number: Int, command: String) {
        (self.number, self.command, arguments) = (number, command, [:])
    }

    /// Reads the number and the command of a request with another part that is not a value.
    fileprivate init?(unreadable text: ArraySlice<UInt8>) {
        var members: Value.Record = [:]
        for (name, value) in Self.members(of: text) {
            guard case .string(let name)? = try? Value(json: name) else { continue }
            members[name] = (try? Value(json: value)) ?? .null
        }
        members["arguments"] = nil
        self.init(.record(members))
    }

    /// The names and values in an object, as they are written.
    private static func members(
        of text: ArraySlice<UInt8>
    ) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        var members: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        var (depth, isQuoted, isEscaped) = (0, false, false)
        var (start, colon) = (text.startIndex, text.startIndex)
        for index in text.indices {
            if isQuoted {
                if !isEscaped, text[index] == UInt8(ascii: "\"") { isQuoted = false }
                isEscaped = !isEscaped && text[index] == UInt8(ascii: "\\")
                continue
            }
            let wasOutermost = depth == 1
            switch text[index] {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: ":") where depth == 1: colon = index
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): break
            default: continue
            }
            if wasOutermost, depth == 0 || text[index] == UInt8(ascii: ","), colon > start {
                members.append((text[start..<colon], text[(colon + 1)..<index]))
            }
            if depth == 1, [UInt8(ascii: "{"), UInt8(ascii: ",")].contains(text[index]) {
                start = index + 1
            }
        }
        return members
    }
}

extension Value {
    /// A line, a count or another whole number from 0 to 2⁵³; `nil` if it is missing or null, which
    /// some clients send instead. Any other value is an error that names it.
    func natural(_ name: String) throws(FlowError) -> Int? {
        guard let value = self[name], value != .null else { return nil }
        guard let number = value.natural else {
            throw FlowError(.notNatural, name, value.summary(maxLength: 30))
        }
        return number
    }
}

/// Reads messages from bytes. Each has a header with its length.
package struct DebugMessageReader {
    private var bytes: [UInt8] = []
    /// The most bytes of a message.
    private static let limit = 64 << 20

    package init() {}

    package mutating func add(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    package enum Item: Sendable {
        case message(Value)
        /// Not a message, with the reason, and its request if that is known. Reading goes on.
        case unreadable(String, DebugRequest? = nil)
        /// Another protocol, for example a browser that tries the ports of this machine.
        case foreign
    }

    /// The next item, if it is complete.
    package mutating func next() -> Item? {
        while true {
            guard let (header, start) = header() else {
                if bytes.count > 1 << 16 { bytes = [] }
                return nil
            }
            let firstLine = header.prefix { $0 != 13 }
            if firstLine.contains(Array(" HTTP/".utf8)) { return .foreign }
            guard let length = Self.length(in: header), length <= Self.limit else {
                bytes.removeFirst(start)
                return .unreadable("a message has no Content-Length that can be")
            }
            guard bytes.count >= start + length else { return nil }
            let text = bytes[start..<start + length]
            defer { bytes.removeFirst(start + length) }
            do {
                return .message(try Value(json: text, limits: .document))
            } catch {
                return .unreadable(
                    "a message cannot be read: \(error)", DebugRequest(unreadable: text))
            }
        }
    }

    /// The header at the beginning, and the index after it.
    private func header() -> (ArraySlice<UInt8>, Int)? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard let range = bytes.firstRange(of: end) else { return nil }
        return (bytes[..<range.lowerBound], range.upperBound)
    }

    private static func length(in header: ArraySlice<UInt8>) -> Int? {
        for line in String(decoding: header, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            return Int(natural: parts[1].filter { !$0.isWhitespace })
        }
        return nil
    }

    /// A message with its header.
    package static func bytes(of message: Value) -> [UInt8] {
        let body = Array(message.json.utf8)
        return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}
