package import FlowOrigins
package import Terminal
import WorkflowLua

/// Prints where a value comes from: a line a finding, from the rendering back to the sender.
package struct OriginPrinter {
    package let style: Style
    /// The time at which the session began, in milliseconds since 1970.
    package let start: Int

    package init(style: Style, start: Int) {
        self.style = style
        self.start = start
    }

    package func lines(_ origin: ValueOrigin) -> [String] {
        let since = origin.since == 0 ? "from the beginning" : "since step \(origin.since)"
        let path = origin.path.isEmpty ? "the rendering" : origin.path
        let value = origin.value.map { printable($0.originText) }
        var rows = [[style.bold(printable(path)), value ?? "was rendered", since]]
        rows += origin.findings.map(row)
        return rows.aligned.map { "  " + $0 }
    }

    private func row(_ finding: ValueOrigin.Finding) -> [String] {
        var cells = [style.dim(finding.kind.label)]
        cells.append(printable(finding.subject))
        if finding.kind != .write, let location = finding.location {
            cells.append(printable(location.description))
        }
        if !finding.detail.isEmpty { cells.append(style.dim(printable(finding.detail))) }
        if let milliseconds = finding.milliseconds {
            let time = milliseconds - start
            cells.append(time < 0 ? "before" : Duration.milliseconds(time).text)
        }
        return cells
    }
}

extension ValueOrigin.Finding.Kind {
    /// The words that introduce the finding.
    fileprivate var label: String {
        switch self {
        case .rendered: "rendered by"
        case .placed: "placed by"
        case .cause: "because of"
        case .write: "written at"
        case .call: "in"
        case .sender: "from"
        case .read: "which read"
        case .note: "note"
        }
    }
}

extension [[String]] {
    /// The rows as lines with two aligned columns, which a long first row does not widen.
    fileprivate var aligned: [String] {
        let first = Swift.min(first.map { displayWidth($0[0]) } ?? 0, 20)
        var widths = [dropFirst().map { displayWidth($0[0]) }.reduce(first, Swift.max), 0]
        for row in dropFirst() {
            for index in 0..<Swift.min(row.count - 1, 2) {
                widths[index] = Swift.max(widths[index], displayWidth(row[index]))
            }
        }
        return map { row in
            row.enumerated().map { index, cell in
                index < 2 && index < row.count - 1 ? cell.padded(to: widths[index]) : cell
            }.joined(separator: "  ")
        }
    }
}
