import PlainValue

/// A word of Lua source text.
struct LuaToken {
    enum Kind: Equatable {
        case name(String)
        /// A keyword or an operator.
        case symbol(String)
        /// A number or a string; `nil` if it is no plain value, such as text that is no UTF-8.
        case literal(Value?)
        case end
    }

    let kind: Kind
    let place: SourcePlace

    static let keywords: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
        "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ]
}

/// A source text was not understood. Lua itself says better what is wrong with it.
struct UnreadableSource: Error {}
