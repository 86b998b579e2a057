import FlowTesting
import PlainValue
import Terminal
import WorkflowLua

/// Prints the Test Anything Protocol, version 14.
struct TAPReporter: TestReporter {
    let stream: OutputStream
    private var count = 0

    init(stream: OutputStream) {
        self.stream = stream
        stream.write("TAP version 14\n")
    }

    mutating func begin(_ file: String) { stream.write("# \(printable(file))\n") }

    mutating func report(_ result: FlowTestResult, of file: String) {
        let name = escaped(result.path.joined(separator: " > "))
        switch result.outcome {
        case .passed: point(true, name)
        case .pending: point(true, name + " # SKIP pending")
        case .failed(let failure):
            point(false, name)
            describe(
                failure.error, differences: failure.mismatches.flatMap(\.lines),
                steps: failure.steps)
        }
    }

    mutating func report(_ error: FlowError, of file: String) {
        point(false, escaped(file))
        describe(error)
    }

    mutating func finish(_ summary: TestSummary, _ files: [TestedFile]) {
        stream.write("1..\(count)\n")
    }

    private mutating func point(_ isOK: Bool, _ text: String) {
        count += 1
        stream.write("\(isOK ? "ok" : "not ok") \(count) - \(text)\n")
    }

    /// A YAML block whose strings are JSON.
    private func describe(_ error: FlowError, differences: [String] = [], steps: [String] = []) {
        var lines = ["  ---", "  message: \(quoted(error.message))"]
        if let place = error.location {
            lines.append(
                "  at: \(quoted(place.line > 0 ? "\(place.file):\(place.line)" : place.file))")
        }
        for (name, items) in [("diff", differences), ("steps", steps)] where !items.isEmpty {
            lines.append("  \(name):")
            lines += items.map { "    - \(quoted($0))" }
        }
        lines.append("  ...")
        stream.write(lines.joined(separator: "\n") + "\n")
    }

    private func quoted(_ text: String) -> String { Value.string(text).json }

    /// A name with TAP's directives escaped.
    private func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in printable(text).unicodeScalars {
            if scalar == "#" || scalar == "\\" { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
