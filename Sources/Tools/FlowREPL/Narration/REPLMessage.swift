/// Whole lines of a REPL's output.
package struct REPLMessage: Sendable, Hashable {
    /// Selects the stream when the output is not a terminal.
    package enum Kind: Sendable {
        /// A command's result, for standard output.
        case result
        /// Anything else, such as an error, for standard error.
        case notice
    }

    package var kind: Kind
    package var text: String

    package static func result(_ lines: [String]) -> [REPLMessage] {
        lines.isEmpty ? [] : [REPLMessage(kind: .result, text: lines.map { $0 + "\n" }.joined())]
    }

    package static func notice(_ text: String) -> REPLMessage {
        REPLMessage(kind: .notice, text: text)
    }
}
