import FlowPrinting
import FlowTesting
import Terminal
import WorkflowLua

/// Prints tests as a tree, for people.
struct TreeReporter: TestReporter {
    let output: OutputStyle
    /// The groups of the last printed test.
    private var groups: [String] = []
    /// True until a test of the file is printed. A file without selected tests is not shown.
    private var isFirst = true

    init(output: OutputStyle) { self.output = output }

    private var style: Style { output.style }

    mutating func begin(_ file: String) {
        groups = []
        isFirst = true
    }

    private mutating func writeTitle(_ file: String) {
        if isFirst { write([style.bold(printable(file))]) }
        isFirst = false
    }

    mutating func report(_ result: FlowTestResult, of file: String) {
        writeTitle(file)
        let path = result.path.dropLast()
        var common = 0
        for (known, next) in zip(groups, path) where known == next && common < path.count {
            common += 1
        }
        for depth in common..<path.count {
            write([indent(depth + 1) + printable(path[depth])])
        }
        groups = Array(path)
        let name = printable(result.name)
        let indent = indent(path.count + 1)
        switch result.outcome {
        case .passed:
            write(["\(indent)\(style.green("✓")) \(name) \(style.dim(result.duration.short))"])
        case .pending:
            write(["\(indent)\(style.cyan("○")) \(name) \(style.dim("pending"))"])
        case .failed(let failure):
            let lines = FailureText(style: style).lines(failure).map { indent + "  " + $0 }
            write(
                ["\(indent)\(style.red("✗")) \(name) \(style.dim(result.duration.short))"] + lines)
        }
    }

    mutating func report(_ error: FlowError, of file: String) {
        writeTitle(file)
        write(ErrorPrinter(style: style).lines(error).map { "  " + $0 })
    }

    mutating func finish(_ summary: TestSummary, _ files: [TestedFile]) {
        guard summary.count + summary.broken > 0 else { return }
        var lines = [""]
        for file in files {
            if file.error != nil { lines.append("\(printable(file.path)): the file is broken") }
            for result in file.results where result.failure != nil {
                let line = result.location.map { ":\($0.line)" } ?? ""
                lines.append(
                    "\(printable(file.path))\(line): failed: \(printable(result.fullName))")
            }
        }
        if lines.count > 1 { lines.append("") }
        var parts = ["\(summary.passed) passed"]
        if summary.failed > 0 { parts.append(style.red("\(summary.failed) failed")) }
        if summary.pending > 0 { parts.append("\(summary.pending) pending") }
        if summary.broken > 0 {
            parts.append(style.red(String.counted(summary.broken, "file") + " broken"))
        }
        lines.append(
            parts.joined(separator: ", ") + " " + style.dim("in \(summary.duration.short)"))
        write(lines)
    }

    private func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private func write(_ lines: [String]) {
        output.stream.write(lines.joined(separator: "\n") + "\n")
    }
}

extension Duration {
    /// The time in one unit: `3 ms`, `1.25 s`.
    var short: String {
        let milliseconds = self / .milliseconds(1)
        if milliseconds < 1 { return "<1 ms" }
        if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds / 10).rounded() / 100) s"
    }
}
