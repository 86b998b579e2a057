import PlainValue

extension Value {
    /// The value on one line as a person reads it: text without quotes if it can be told from other values, the rest
    /// in Lua's way, with `…` for what does not fit a width.
    func line(width: Int) -> String {
        if case .string(let text) = self, !text.isEmpty, text.trimmed == text {
            return printable(text).cut(to: width)
        }
        return summary(maxLength: max(width, 1)).cut(to: width)
    }
}
