import FlowPrinting
import FlowTesting
import Terminal
import WorkflowLua

/// Formats the failure of a test: the error, the differences, the steps, the recording.
struct FailureText {
    /// The maximum number of differences to show.
    private static let mostLines = 24
    /// The maximum number of last steps to show.
    private static let mostSteps = 20

    let style: Style

    func lines(_ failure: FlowTestFailure) -> [String] {
        var error = failure.error
        error.help = nil
        let printer = ErrorPrinter(style: style)
        var lines = printer.lines(error) + differences(failure)
        if let hint = failure.error.hint { lines.append(printer.help(hint)) }
        lines += steps(failure)
        for recording in failure.recordings {
            lines.append(
                style.dim("to look into it:")
                    + " \(ProgramName.typed.word) repl \(printable(recording))")
            lines.append(
                style.dim("to debug it:")
                    + "     launch that recording in an editor, by \(ProgramName.typed.word) debug")
        }
        return lines
    }

    private func differences(_ failure: FlowTestFailure) -> [String] {
        let lines = failure.mismatches.flatMap(\.lines)
        guard !lines.isEmpty else { return [] }
        var shown = lines.prefix(Self.mostLines).map { line in
            "  " + (line.hasPrefix("-") ? style.red(line) : style.green(line))
        }
        if lines.count > shown.count { shown.append("  … and \(lines.count - shown.count) more") }
        return [style.dim("  - expected, + found")] + shown
    }

    private func steps(_ failure: FlowTestFailure) -> [String] {
        guard !failure.steps.isEmpty else { return [] }
        let first = max(0, failure.steps.count - Self.mostSteps)
        var lines = [style.dim("steps:")]
        if first > 0 { lines.append(style.dim("  … \(first) before")) }
        for (index, step) in failure.steps.enumerated().dropFirst(first) {
            lines.append("  \(index + 1). \(printable(step))")
        }
        return lines
    }
}
