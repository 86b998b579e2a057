package import PlainValue
import Terminal

extension Value {
    package var actionName: String { self["type"]?.string ?? string ?? "?" }

    /// The value on one line for a person, cut with `…` to a width. Text has no quotes unless it
    /// could be read as another value; other values are written as in Lua.
    package func line(width: Int) -> String {
        if case .string(let text) = self, !text.isEmpty, text.trimmed == text {
            // Only the beginning of a long text is formatted. Combining marks take no columns.
            let start = text.unicodeScalars.prefix(4 * max(width, 1))
            let isWhole = start.endIndex == text.endIndex
            return (printable(String(start)) + (isWhole ? "" : "…")).cut(to: width)
        }
        return summary(maxLength: max(width, 1)).cut(to: width)
    }
}
