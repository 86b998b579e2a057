/// A part of what the REPL says: whole lines.
package struct REPLMessage: Sendable, Hashable {
    /// The kind of a message, which decides where it goes when nobody watches.
    package enum Kind: Sendable {
        /// The result of a command: to standard output.
        case result
        /// Anything else, such as an error: to standard error.
        case notice
    }

    package var kind: Kind
    package var text: String

    package static func result(_ lines: [String]) -> [REPLMessage] {
        lines.isEmpty
            ? [] : [REPLMessage(kind: .result, text: lines.map { $0 + "\n" }.joined())]
    }

    package static func notice(_ text: String) -> REPLMessage {
        REPLMessage(kind: .notice, text: text)
    }
}
