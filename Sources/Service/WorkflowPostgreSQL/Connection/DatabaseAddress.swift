/// The address of a database, as libpq takes it: a URI or pairs of `keyword=value`.
struct DatabaseAddress: Sendable {
    /// The whole address, which may hold a password.
    let text: String

    /// The address without its password, for messages.
    var redacted: String {
        guard let scheme = text.firstRange(of: "://") else { return "the database" }
        var rest = text[scheme.upperBound...]
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        if let at = rest[..<end].lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        return "postgres://" + (rest.firstIndex(of: "?").map { rest[..<$0] } ?? rest)
    }
}
