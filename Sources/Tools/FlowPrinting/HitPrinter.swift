package import Terminal
package import WorkflowKit
import WorkflowLua

/// Prints the hits of log points: a row for each, in columns as wide as the widest cell so far.
package struct HitPrinter {
    private let style: Style
    private let columns: [String]
    private var widths: [Int]

    /// - Parameter more: The titles of additional columns.
    package init(style: Style, more: [String] = []) {
        self.style = style
        columns = ["step", "node", "in", "line"] + more
        widths = [6, 8, 12, 12] + more.map { _ in 12 }
    }

    package mutating func header() -> String { style.dim(row(columns, before: "")) }

    /// A row for a hit, with the cells of the additional columns.
    package mutating func line(_ hit: LogHit, more: [String] = []) -> String {
        let what: String =
            switch hit.content {
            case .success(let content): printable(content.text)
            case .failure(let error): style.red(printable(error.message))
            }
        return row(
            [
                hit.failure == nil ? "\(hit.step)" : "failed",
                hit.phase == .load ? "–" : "\(hit.node)", "\(hit.phase)", "\(hit.location)",
            ] + more, before: what)
    }

    private mutating func row(_ cells: [String], before text: String) -> String {
        var line = ""
        for (index, cell) in cells.map({ printable($0) }).enumerated() {
            if index > 0 { line += "  " }
            let width = cell.unicodeScalars.count
            widths[index] = max(widths[index], width)
            let space = String(repeating: " ", count: widths[index] - width)
            let isLast = index == cells.count - 1 && text.isEmpty
            line += index == 0 ? space + cell : isLast ? cell : cell + space
        }
        return text.isEmpty ? line : line + "  " + text
    }
}
