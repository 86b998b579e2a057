package import PlainValue

/// A word of Lua source text.
package struct LuaToken {
    package enum Kind: Equatable {
        case name(String)
        /// A keyword or an operator.
        case symbol(String)
        /// A number or a string; `nil` if it is no plain value, such as text that is no UTF-8.
        case literal(Value?)
        case end
    }

    package let kind: Kind
    package let place: SourcePlace

    package static let keywords: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
        "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]
}

/// A source text was not understood. Lua itself says better what is wrong with it.
package struct UnreadableSource: Error {}
