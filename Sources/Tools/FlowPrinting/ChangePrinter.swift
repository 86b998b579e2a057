package import PlainValue
package import Terminal

/// Prints the changes of a rendering: `+ path value`, `~ path value was value`, `- path`.
///
/// Sinks and unchanged values are left out. Changes beyond ``mostLines`` are counted.
package struct ChangePrinter {
    package static let mostLines = 20
    private static let (leastPath, mostPath, valueColumn) = (8, 32, 34)

    package let style: Style
    package let columns: Int
    package let indent: Int

    package init(style: Style, columns: Int, indent: Int = 2) {
        self.style = style
        self.columns = columns
        self.indent = indent
    }

    /// The lines for the changes between two renderings without sinks.
    package func lines(from old: Value, to new: Value) -> [String] {
        lines(old.firstDifferences(to: new, limit: Self.mostLines))
    }

    /// The lines for a set of changes.
    ///
    /// - Parameters:
    ///   - found: The first changes, up to ``mostLines`` or more, and the number of all.
    ///   - rows: The number of elements of a list to show that does not fit; `nil` cuts it.
    package func lines(
        _ found: (changes: [ValueChange], count: Int), unfolding rows: Int? = nil
    ) -> [String] {
        let shown = found.changes.prefix(
            found.count > Self.mostLines ? Self.mostLines - 1 : Self.mostLines)
        let paths = shown.map { $0.path.isEmpty ? "(all)" : printable($0.path.description) }
        let widest = paths.map(displayWidth).max() ?? 0
        let pathWidth = min(max(widest, Self.leastPath), Self.mostPath)
        var lines = zip(shown, paths).flatMap { change, path in
            let path = path.cut(to: Self.mostPath)
            return rows.flatMap { unfolded(change.kind, path, pathWidth, rows: $0) }
                ?? [space + line(change.kind, path.padded(to: pathWidth), pathWidth)]
        }
        if found.count > shown.count {
            lines.append(space + style.dim("… \(found.count - shown.count) more changes"))
        }
        return lines
    }

    /// A line with a label, aligned with the changes around it.
    package func line(_ label: String, _ value: Value) -> String {
        space + label.padded(to: Self.leastPath + 4) + value.line(width: columns - 14)
    }

    private var space: String { String(repeating: " ", count: indent) }

    /// A new value as a tree below its path; `nil` if it fits a line.
    private func unfolded(
        _ kind: ValueChange.Kind, _ path: String, _ pathWidth: Int, rows: Int
    ) -> [String]? {
        guard case .added(let value) = kind, value.list != nil || value.record != nil else {
            return nil
        }
        let room = max(columns - 4 - indent - pathWidth, 20)
        guard displayWidth(value.summary(maxLength: room + 1)) > room else { return nil }
        let tree = TreePrinter(style: style, mostRows: rows)
        return ["\(space)\(style.green("+")) \(path)"] + tree.lines(value, indent: indent + 4)
    }

    private func line(_ kind: ValueChange.Kind, _ path: String, _ pathWidth: Int) -> String {
        let room = max(columns - 4 - indent - pathWidth, 20)
        switch kind {
        case .added(let value):
            return "\(style.green("+")) \(path)  \(value.line(width: room))"
        case .removed: return "\(style.red("-")) \(path)".trimmedEnd
        case .changed(let old, let new):
            // The new value gets more room because it matters more.
            let value = new.line(width: max(room * 2 / 3, room - 40))
            let padded = value.padded(to: min(Self.valueColumn, room / 2))
            let rest = room - displayWidth(padded) - 6
            let start = "\(style.yellow("~")) \(path)  "
            guard rest >= 6 else { return start + new.line(width: room) }
            return start + padded + "  " + style.dim("was \(old.line(width: rest))")
        }
    }
}
