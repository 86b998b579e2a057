import FlowPrinting
import FlowService
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua
import WorkflowStore

/// Prints the results of the check, for people or as JSON lines.
struct CodeCheckPrinter {
    let output: OutputStyle
    let isJSON: Bool
    private var (same, differing, refused, unknown) = (0, 0, 0, 0)

    init(output: OutputStyle, isJSON: Bool) {
        self.output = output
        self.isJSON = isJSON
    }

    /// True if no session differs or is refused.
    var isClean: Bool { differing + refused == 0 }

    private var style: Style { output.style }

    private func write(_ text: String) { _ = output.stream.write(text + "\n") }

    /// Counts a result, and prints it unless the session stays the same.
    mutating func print(_ finding: CodeCheck.Finding) {
        switch finding.fit {
        case .same: same += 1
        case .unknown: unknown += 1
        case .differs(let differences):
            differing += 1
            print(differences, of: finding.session)
        case .refused(let error):
            refused += 1
            print(error, of: finding.session)
        }
    }

    private func print(_ differences: [ReplayDifference], of session: SessionSummary) {
        if isJSON {
            for difference in differences {
                write(difference.record(number: difference.step), of: session)
            }
            return
        }
        guard let first = differences.first else { return }
        let after = first.input.map { ", after \($0.title)" } ?? ", the beginning"
        write(title(session) + printable("step \(first.step)\(after)"))
        let changes = ChangePrinter(style: style, columns: 100)
        for difference in differences {
            for line in difference.lines(changes, style) { write(line) }
        }
    }

    private func print(_ error: FlowError, of session: SessionSummary) {
        if isJSON {
            return write(
                [
                    "type": "refused",
                    "error": [
                        "code": .string(error.code.rawValue), "message": .string(error.message),
                    ],
                ], of: session)
        }
        let reasons = ([error.message] + error.notes).joined(separator: "; ")
        write(title(session) + printable("refused: \(reasons)"))
    }

    private func title(_ session: SessionSummary) -> String {
        style.bold(printable(session.id)) + printable(" (\(session.flow)), ")
    }

    /// Writes a record with its session.
    private func write(_ record: Value, of session: SessionSummary) {
        var fields: Value.Record = ["id": .string(session.id), "flow": .string(session.flow)]
        for (name, value) in record.record ?? [:] { fields[name] = value }
        write(Value.record(fields).json)
    }

    func printEnd() {
        let count = same + differing + refused + unknown
        if isJSON {
            return write(
                Value.record([
                    "type": "check", "sessions": .int(count), "same": .int(same),
                    "different": .int(differing), "refused": .int(refused),
                    "unknown": .int(unknown),
                ]).json)
        }
        let mark = isClean ? style.green("✓") : style.red("✗")
        var parts = ["\(same) as before", "\(differing) different", "\(refused) refused"]
        if unknown > 0 { parts.append("\(unknown) with nothing to compare") }
        write(
            "\(mark) \(count == 1 ? "1 session" : "\(count) sessions"): "
                + parts.joined(separator: ", "))
    }
}
