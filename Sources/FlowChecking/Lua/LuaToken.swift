import PlainValue

/// A word of Lua source text.
struct LuaToken {
    enum Kind: Equatable {
        case name(String)
        /// A keyword or an operator.
        case symbol(String)
        /// A number or a string; `nil` for one that is no plain value, such as text that is no UTF-8.
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

/// Why a source text was not understood; what is wrong with it, Lua itself says better.
struct UnreadableSource: Error {}
