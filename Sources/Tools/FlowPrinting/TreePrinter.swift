package import PlainValue
package import Terminal
import WorkflowKit

/// Prints a value as an indented tree, with lists of records as tables, without sinks and hints.
package struct TreePrinter: Sendable {
    private static let widestRow = 100

    package let style: Style
    /// The maximum number of elements to show of a list.
    package let mostRows: Int

    package init(style: Style, mostRows: Int = 200) {
        self.style = style
        self.mostRows = mostRows
    }

    package func text(_ value: Value) -> String {
        lines(value, indent: 2).map { $0 + "\n" }.joined()
    }

    package func lines(_ value: Value, indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        switch value {
        case .record(let record):
            let shown = record.filter { !isLeftOut($0.key, $0.value) }
            let width = shown.map { displayWidth(printable($0.key)) }.max() ?? 0
            return shown.flatMap { key, value -> [String] in
                let label = style.cyan(printable(key))
                guard let inline = inline(value, width: Self.widestRow - indent - width) else {
                    return [space + label] + lines(value, indent: indent + 2)
                }
                let gap = String(repeating: " ", count: width - displayWidth(printable(key)) + 2)
                return [space + label + gap + inline]
            }
        case .list(let list):
            let shown = Value.List(list.prefix(mostRows))
            var lines =
                table(shown, space: space)
                ?? shown.enumerated().flatMap { index, value -> [String] in
                    let label = style.dim("\(index + 1)")
                    guard let inline = inline(value, width: Self.widestRow - indent) else {
                        return [space + label] + self.lines(value, indent: indent + 2)
                    }
                    return ["\(space)\(label)  \(inline)"]
                }
            if list.count > shown.count {
                lines.append(space + style.dim("… \(list.count - shown.count) more"))
            }
            return lines
        default: return [space + scalar(value)]
        }
    }

    /// True if the value is a sink, or the record that says how a page shows the one around it.
    private func isLeftOut(_ key: String, _ value: Value) -> Bool {
        actionType(ofSink: value) != nil || (key == "$view" && value.record != nil)
    }

    /// The value in the line of its name, if it is short and has no nested structure.
    private func inline(_ value: Value, width: Int) -> String? {
        switch value {
        case .list(let list):
            guard list.allSatisfy({ $0.list == nil && $0.record == nil }) else { return nil }
        case .record(let record):
            guard record.isEmpty else { return nil }
        default: return scalar(value)
        }
        // A summary one character longer than the width is enough to detect that it does not fit.
        let text = value.summary(maxLength: width + 1)
        return displayWidth(text) <= width ? text : nil
    }

    /// A list of flat records as a table: a column for each field, numbers to the right.
    private func table(_ list: Value.List, space: String) -> [String]? {
        var columns: Set<Name> = []
        for element in list {
            guard case .record(let record) = element else { return nil }
            for (key, value) in record where !isLeftOut(key, value) {
                guard value.list == nil, value.record == nil else { return nil }
                columns.insert(Name(key))
            }
        }
        guard !columns.isEmpty else { return nil }
        let table = TextTable(
            columns: columns.sorted().map(\.text).map { name in
                let cells = list.map { $0[name] }
                return TextTable.Column(
                    title: printable(name), cells: cells.map { $0.map(scalar) ?? "" },
                    isRightAligned: cells.allSatisfy { $0?.isNumber ?? true })
            })
        return table.lines(style: style).map { space + $0 }
    }

    /// A scalar for a person: text without quotes.
    private func scalar(_ value: Value) -> String {
        if case .string(let text) = value, !text.isEmpty, text.trimmed == text {
            return printable(text)
        }
        return value.description
    }
}

extension Value {
    fileprivate var isNumber: Bool {
        switch self {
        case .int, .double: true
        default: false
        }
    }
}
