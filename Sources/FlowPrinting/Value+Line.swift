package import PlainValue
import Terminal

extension Value {
    /// The value on one line as a person reads it: text without quotes if it can be told from other
    /// values, the rest in Lua's way, with `…` for what does not fit a width.
    package func line(width: Int) -> String {
        if case .string(let text) = self, !text.isEmpty, text.trimmed == text {
            // Of a long text only the beginning is looked at; marks upon letters take no columns.
            let start = text.unicodeScalars.prefix(4 * max(width, 1))
            let isWhole = start.endIndex == text.endIndex
            return (printable(String(start)) + (isWhole ? "" : "…")).cut(to: width)
        }
        return summary(maxLength: max(width, 1)).cut(to: width)
    }
}
