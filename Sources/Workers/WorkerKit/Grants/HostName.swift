/// A host in the form in which grants are compared: in lower case, with or without a port. Names
/// are compared as text, never by their addresses. So another spelling of a permitted host (`127.1`
/// for `127.0.0.1`) is another host, and is refused.
struct HostName: Hashable {
    let name: String
    let port: Int?

    /// Parses `api.example.com`, `localhost:8080` or `[::1]:80`; `nil` for any other text.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        var end = bytes.count
        var port: Int?
        func isAllowed(_ byte: UInt8, _ marks: String) -> Bool {
            byte.isAlphanumeric || marks.utf8.contains(byte)
        }
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            bytes.first != UInt8(ascii: "[") || bytes[..<colon].last == UInt8(ascii: "]")
        {
            let digits = bytes[(colon + 1)...]
            guard (1...5).contains(digits.count), digits.allSatisfy(\.isDigit),
                let number = Int(String(decoding: digits, as: UTF8.self)), number <= 65535
            else { return nil }
            port = number
            end = colon
        }
        var name = bytes[..<end]
        if name.first == UInt8(ascii: "[") {
            guard name.last == UInt8(ascii: "]"), name.count > 2,
                name.dropFirst().dropLast().allSatisfy({ isAllowed($0, ".-_:") })
            else { return nil }
        } else {
            // The full form of a name ends in a dot, and means the same.
            if name.last == UInt8(ascii: ".") { name.removeLast() }
            guard !name.isEmpty, name.allSatisfy({ isAllowed($0, ".-_") }) else { return nil }
        }
        self.name = String(decoding: name, as: UTF8.self).lowercased()
        self.port = port
    }

    init(url: String) throws(WorkerError) {
        let refusal = WorkerError(
            "bad_input", "\(url.debugDescription) is not a URL of http or https")
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: Array("://".utf8))
        else { throw refusal }
        let defaultPort: Int
        switch String(decoding: bytes[..<colon], as: UTF8.self).lowercased() {
        case "http": defaultPort = 80
        case "https": defaultPort = 443
        default: throw refusal
        }
        let authority = bytes[(colon + 3)...].prefix { !Array("/?#".utf8).contains($0) }
        // Readers of URLs disagree about text before '@' and about '\'; neither is needed.
        guard !authority.contains(UInt8(ascii: "@")), !bytes.contains(UInt8(ascii: "\\")),
            bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let host = HostName(String(decoding: authority, as: UTF8.self))
        else { throw refusal }
        name = host.name
        port = host.port ?? defaultPort
    }
}

extension HostName: CustomStringConvertible {
    var description: String { port.map { "\(name):\($0)" } ?? name }
}
