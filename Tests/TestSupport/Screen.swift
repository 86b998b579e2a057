/// The text of a terminal for tests, with the features that line editing needs.
struct Screen {
    private(set) var rows: [[Character]] = [[]]
    private var row = 0
    private var column = 0
    private var kept = (row: 0, column: 0)
    var width: Int

    init(width: Int) { self.width = width }

    /// The rows without trailing spaces and without empty rows at the bottom.
    var text: String {
        var lines = rows.map { row in
            let end = row.lastIndex { $0 != " " }
            return String(row[..<(end.map { $0 + 1 } ?? 0)])
        }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// True if the cursor is at the start of an empty row.
    var isOnNewRow: Bool { column == 0 && rows[row].isEmpty }

    /// Processes a program's output, in which no escape sequence is split.
    mutating func take(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}": takeEscape(&rest)
            case "\r": column = 0
            case "\n": moveDown()
            case "\u{8}": column = max(0, column - 1)
            case "\u{7}": break
            default: put(Character(scalar))
            }
        }
    }

    private mutating func takeEscape(_ rest: inout Substring.UnicodeScalarView) {
        switch rest.popFirst() {
        case "[": break
        case "7":
            kept = (row, column)
            return
        case "8":
            (row, column) = kept
            return
        default: return
        }
        var digits = ""
        while let scalar = rest.popFirst() {
            switch scalar {
            case "0"..."9", ";", "?": digits.unicodeScalars.append(scalar)
            default:
                obey(scalar, Int(digits))
                return
            }
        }
    }

    private mutating func obey(_ command: Unicode.Scalar, _ number: Int?) {
        let count = number ?? 1
        switch command {
        case "A": row = max(0, row - count)
        case "B": for _ in 0..<count { moveDown() }
        case "C": column = min(width - 1, column + count)
        case "D": column = max(0, column - count)
        case "G": column = count - 1
        case "H": (row, column) = (0, 0)
        case "J":
            if number == 2 {
                rows = [[]]
                row = 0
            } else {
                rows.removeLast(rows.count - row - 1)
                cutRow()
            }
        case "K":
            if number == 2 { rows[row] = [] } else { cutRow() }
        case "M": rows.remove(at: row)
        case "P":
            let end = min(column + count, rows[row].count)
            if column < end { rows[row].removeSubrange(column..<end) }
        case "@":
            fillRow()
            rows[row].insert(contentsOf: repeatElement(" ", count: count), at: column)
        default: break
        }
    }

    private mutating func cutRow() {
        if column < rows[row].count { rows[row].removeLast(rows[row].count - column) }
    }

    private mutating func fillRow() { while rows[row].count < column { rows[row].append(" ") } }

    private mutating func moveDown() {
        row += 1
        while rows.count <= row { rows.append([]) }
    }

    private mutating func put(_ character: Character) {
        if column >= width {
            column = 0
            moveDown()
        }
        fillRow()
        if column < rows[row].count {
            rows[row][column] = character
        } else {
            rows[row].append(character)
        }
        column += 1
    }
}
