/// A part of what the REPL says: whole lines.
package struct REPLPiece: Sendable, Hashable {
    /// Where it goes when nobody watches.
    package enum Kind: Sendable {
        /// What a command is for: to standard output.
        case result
        /// What has to be said besides, such as an error: to standard error.
        case message
    }

    package var kind: Kind
    package var text: String

    package static func result(_ lines: [String]) -> [REPLPiece] {
        lines.isEmpty
            ? [] : [REPLPiece(kind: .result, text: lines.map { $0 + "\n" }.joined())]
    }

    package static func message(_ text: String) -> REPLPiece {
        REPLPiece(kind: .message, text: text)
    }
}
