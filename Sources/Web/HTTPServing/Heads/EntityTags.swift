/// The value of `If-Match` or `If-None-Match` (RFC 9110, 13.1).
package struct EntityTags: Sendable, Hashable {
    private struct Tag: Hashable {
        /// The text between the quotes.
        var text: String
        var isWeak: Bool
    }

    /// The tags; `nil` for `*`, which stands for any.
    private var tags: [Tag]?

    /// Reads a value; `nil` if it is invalid.
    package init?(_ text: String) {
        var rest = Substring(text)
        rest.trim()
        if rest == "*" { return }
        var tags: [Tag] = []
        while true {
            // A list may have empty elements (RFC 9110, 5.6.1.2).
            while rest.first == "," {
                rest.removeFirst()
                rest.trim()
            }
            if rest.isEmpty { break }
            guard let tag = Self.tag(&rest) else { return nil }
            tags.append(tag)
            rest.trim()
            guard rest.isEmpty || rest.first == "," else { return nil }
        }
        guard !tags.isEmpty else { return nil }
        self.tags = tags
    }

    /// The tags for the strong comparison, in which weak ones equal none; `nil` for `*`.
    package var strong: [String]? { tags?.filter { !$0.isWeak }.map(\.text) }

    /// True if a strong tag is among them by the weak comparison. It is given without its quotes.
    package func contains(_ tag: some StringProtocol) -> Bool {
        tags.map { tags in tags.contains { $0.text == tag } } ?? true
    }

    private static func tag(_ text: inout Substring) -> Tag? {
        let isWeak = text.hasPrefix("W/")
        if isWeak { text.removeFirst(2) }
        guard text.first == "\"" else { return nil }
        text.removeFirst()
        guard let end = text.firstIndex(of: "\""),
            text[..<end].utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        let tag = Tag(text: String(text[..<end]), isWeak: isWeak)
        text = text[text.index(after: end)...]
        return tag
    }
}

extension Substring {
    fileprivate mutating func trim() {
        while let first, first == " " || first == "\t" { removeFirst() }
        while let last, last == " " || last == "\t" { removeLast() }
    }
}
