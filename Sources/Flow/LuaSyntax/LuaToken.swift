package import PlainValue

package struct LuaToken {
    package enum Kind: Equatable {
        case name(String)
        /// A keyword or an operator.
        case symbol(String)
        /// A number or a string; `nil` if it is not a plain value, such as invalid UTF-8.
        case literal(Value?)
        case end
    }

    package let kind: Kind
    package let place: SourcePlace
    /// The place after its last byte.
    package let end: SourcePlace

    package static let keywords: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
        "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]
}

/// A source text that could not be parsed. Lua itself reports the error better.
package struct UnreadableSource: Error {}
