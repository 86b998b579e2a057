struct ContentType {
    /// Type and subtype in lower case, such as `application/json`.
    let name: String
    /// The encoding of the text in lower case; empty if unknown.
    let charset: String

    /// Parses the value of a header, such as `text/html; charset="utf-8"`.
    init(_ header: String) {
        let parts = header.lowercased().split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmed }
        name = parts.first ?? ""
        let parameter = parts.dropFirst().first { $0.hasPrefix("charset=") }
        charset = String((parameter ?? "").dropFirst(8)).filter { $0 != "\"" }
    }

    var isJSON: Bool {
        name == "application/json" || name == "text/json"
            || name.hasPrefix("application/") && name.hasSuffix("+json")
    }

    /// The text of a body; nil if its encoding is not supported.
    func text(of bytes: [UInt8]) -> String? {
        if charset == "iso-8859-1" || charset == "latin1" {
            var text = ""
            for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
            return text
        }
        guard ["", "utf-8", "utf8", "us-ascii"].contains(charset) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var part = self
        while part.first == " " || part.first == "\t" { part.removeFirst() }
        while part.last == " " || part.last == "\t" { part.removeLast() }
        return String(part)
    }
}
