/// Text in columns.
package struct TextTable {
    package struct Column {
        package var title: String
        package var cells: [String]
        package var isRightAligned: Bool

        package init(title: String, cells: [String], isRightAligned: Bool = false) {
            self.title = title
            self.cells = cells
            self.isRightAligned = isRightAligned
        }
    }

    package var columns: [Column]

    package init(_ titles: [String], rows: [[String]], rightAligned: Set<Int> = []) {
        columns = titles.enumerated().map { index, title in
            Column(
                title: title, cells: rows.map { $0[index] },
                isRightAligned: rightAligned.contains(index))
        }
    }

    package init(columns: [Column]) { self.columns = columns }

    /// The titles and a line for each row. No line is cut.
    package func lines(style: Style) -> [String] {
        let widths = columns.map { column in
            column.cells.reduce(displayWidth(column.title)) { max($0, displayWidth($1)) }
        }
        func line(_ cell: (Column) -> String) -> String {
            zip(columns, widths).map { column, width in
                column.isRightAligned
                    ? cell(column).paddedLeft(to: width) : cell(column).padded(to: width)
            }.joined(separator: "  ").trimmedEnd
        }
        let count = columns.map(\.cells.count).min() ?? 0
        return [style.cyan(line(\.title))] + (0..<count).map { row in line { $0.cells[row] } }
    }
}
