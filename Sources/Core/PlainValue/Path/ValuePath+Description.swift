extension ValuePath: CustomStringConvertible {
    /// The path in the form that ``init(parsing:)`` reads; empty for the value itself.
    ///
    /// A key that is not a Lua name is quoted: `rows[3]["unit price"]`.
    public var description: String {
        var text = ""
        for component in components {
            switch component {
            case .index(let index):
                text += "[\(index)]"
            case .key(let key) where LuaText.isName(key):
                if !text.isEmpty { text += "." }
                text += key
            case .key(let key):
                text += "[\(LuaText.quoted(key))]"
            }
        }
        return text
    }
}
