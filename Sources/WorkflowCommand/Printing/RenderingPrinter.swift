import PlainValue
import WorkflowLua

/// Lays out renderings, outputs and log lines: as trees on a terminal, as one line a record elsewhere.
struct RenderingPrinter: Sendable {
    let style: Style
    let isForTerminal: Bool

    /// A rendering of the flow called `name`.
    func rendering(_ value: Value, of name: String) -> String {
        guard isForTerminal else { return "rendering " + shortened(value).description + "\n" }
        let tree = TreePrinter(style: style)
        return "\n" + style.bold(printable(name)) + "\n" + tree.text(value)
    }

    /// An output of the flow called `name`.
    func output(_ value: Value, of name: String) -> String {
        guard isForTerminal else { return "output " + value.description + "\n" }
        return "\n" + style.green("✓") + " \(printable(name)) finished with \(value.description)\n"
    }

    /// A line that the flow printed.
    func log(_ message: String, _ location: FlowError.Location?) -> String {
        let place = location.map { "\($0.file):\($0.line): " } ?? ""
        return style.dim(printable(place)) + printable(message) + "\n"
    }

    /// The value with each sink cut to the type of its action, which is what a reader wants of it.
    private func shortened(_ value: Value) -> Value {
        if let type = actionType(ofSink: value) { return .string("→ " + type) }
        switch value {
        case .record(let record): return .record(record.mapValues { shortened($0) })
        case .list(let list): return .list(Value.List(list.map { shortened($0) }))
        default: return value
        }
    }
}

/// The type of the action of a sink; `nil` for a value that is no sink.
func actionType(ofSink value: Value) -> String? {
    guard case .record(let record) = value, let sink = record["$sink"] else { return nil }
    return sink["action"]?["type"]?.string ?? "?"
}

/// Prints a value as an indented tree: names in a column, lists of records as tables, no sinks.
struct TreePrinter: Sendable {
    private static let widestRow = 100
    private static let mostRows = 200

    let style: Style

    /// The lines of a value; each indented by two spaces and ended.
    func text(_ value: Value) -> String {
        lines(value, indent: 2).map { $0 + "\n" }.joined()
    }

    private func lines(_ value: Value, indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        switch value {
        case .record(let record):
            let shown = record.filter { actionType(ofSink: $0.value) == nil }
            let width = shown.map { printable($0.key).count }.max() ?? 0
            return shown.flatMap { key, value -> [String] in
                let name = printable(key)
                let label = style.cyan(name)
                guard let inline = inline(value, width: Self.widestRow - indent - width) else {
                    return [space + label] + lines(value, indent: indent + 2)
                }
                let gap = String(repeating: " ", count: width - name.count + 2)
                return [space + label + gap + inline]
            }
        case .list(let list):
            return table(list, space: space)
                ?? list.enumerated().flatMap { index, value -> [String] in
                    let label = style.dim("\(index + 1)")
                    guard let inline = inline(value, width: Self.widestRow - indent) else {
                        return [space + label] + lines(value, indent: indent + 2)
                    }
                    return ["\(space)\(label)  \(inline)"]
                }
        default: return [space + scalar(value)]
        }
    }

    /// The value on the line of its name, if it is short enough and hides no structure.
    private func inline(_ value: Value, width: Int) -> String? {
        switch value {
        case .list(let list):
            guard list.allSatisfy({ $0.list == nil && $0.record == nil }) else { return nil }
        case .record(let record):
            guard record.isEmpty else { return nil }
        default: return scalar(value)
        }
        let text = value.description
        return text.count <= width ? text : nil
    }

    /// A list of flat records as a table: a column for each field.
    private func table(_ list: Value.List, space: String) -> [String]? {
        var columns: [String] = []
        var rows: [[String: String]] = []
        for element in list.prefix(Self.mostRows) {
            guard case .record(let record) = element else { return nil }
            var row: [String: String] = [:]
            for (key, value) in record where actionType(ofSink: value) == nil {
                guard value.list == nil, value.record == nil else { return nil }
                if !columns.contains(key) { columns.append(key) }
                row[key] = scalar(value)
            }
            rows.append(row)
        }
        guard !rows.isEmpty, !columns.isEmpty else { return nil }
        columns.sort()
        let widths = columns.map { column in
            max(printable(column).count, rows.map { ($0[column] ?? "").count }.max() ?? 0)
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            return space + padded.joined(separator: "  ").trimmedEnd
        }
        var lines = [style.cyan(line(columns.map(printable)))]
        lines += rows.map { row in line(columns.map { row[$0] ?? "" }) }
        if list.count > rows.count {
            lines.append(space + style.dim("… \(list.count - rows.count) more"))
        }
        return lines
    }

    /// A scalar as a person reads it: text without quotes.
    private func scalar(_ value: Value) -> String {
        if case .string(let text) = value, !text.isEmpty, text.trimmed == text {
            return printable(text)
        }
        return value.description
    }
}

extension String {
    /// The text without spaces at its end.
    fileprivate var trimmedEnd: String {
        var text = self[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
