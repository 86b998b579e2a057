/// A part of what the REPL says: whole lines.
struct REPLPiece: Sendable, Hashable {
    /// Where it goes when nobody watches.
    enum Kind: Sendable {
        /// What a command is for: to standard output.
        case result
        /// What has to be said besides, such as an error: to standard error.
        case message
    }

    var kind: Kind
    var text: String

    static func result(_ lines: [String]) -> [REPLPiece] {
        lines.isEmpty
            ? [] : [REPLPiece(kind: .result, text: lines.map { $0 + "\n" }.joined())]
    }

    static func message(_ text: String) -> REPLPiece { REPLPiece(kind: .message, text: text) }
}
