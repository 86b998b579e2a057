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
    private var (same, differing, refused, kept, unknown) = (0, 0, 0, 0, 0)

    init(output: OutputStyle, isJSON: Bool) {
        self.output = output
        self.isJSON = isJSON
    }

    /// True if the service would open every session, with the same results.
    var isClean: Bool { differing + refused == 0 }

    private var style: Style { output.style }

    private func write(_ text: String) { _ = output.stream.write(text + "\n") }

    /// Counts a result, and prints it unless the session stays the same.
    mutating func print(_ finding: CodeCheck.Finding) {
        switch finding.fit {
        case .same: same += 1
        case .unknown: unknown += 1
        case .differs(let differences):
            if finding.keepsFiles { kept += 1 } else { differing += 1 }
            print(differences, of: finding)
        case .refused(let error):
            if finding.keepsFiles { kept += 1 } else { refused += 1 }
            print(error, of: finding)
        }
    }

    private func print(_ differences: [ReplayDifference], of finding: CodeCheck.Finding) {
        if isJSON {
            for difference in differences {
                write(difference.record, of: finding)
            }
            return
        }
        guard let first = differences.first else { return }
        let after = first.input.map { ", after \($0.title)" } ?? ", the beginning"
        write(title(finding) + printable("step \(first.step)\(after)"))
        let changes = ChangePrinter(style: style, columns: 100)
        for difference in differences {
            for line in difference.lines(changes, style) { write(line) }
        }
    }

    private func print(_ error: FlowError, of finding: CodeCheck.Finding) {
        if isJSON {
            return write(
                [
                    "type": "refused",
                    "error": [
                        "code": .string(error.code.rawValue), "message": .string(error.message),
                    ],
                ], of: finding)
        }
        let reasons = ([error.message] + error.notes).joined(separator: "; ")
        write(title(finding) + printable("refused: \(reasons)"))
    }

    private func title(_ finding: CodeCheck.Finding) -> String {
        style.bold(printable(finding.session.id))
            + printable(
                " (\(finding.session.flow)), " + (finding.keepsFiles ? "keeps its files: " : ""))
    }

    private func write(_ record: Value, of finding: CodeCheck.Finding) {
        let session = finding.session
        var fields: Value.Record = ["id": .string(session.id), "flow": .string(session.flow)]
        if finding.keepsFiles { fields["keeps_files"] = true }
        for (name, value) in record.record ?? [:] { fields[name] = value }
        write(Value.record(fields).json)
    }

    func printEnd() {
        let count = same + differing + refused + kept + unknown
        if isJSON {
            return write(
                Value.record([
                    "type": "check", "sessions": .int(count), "same": .int(same),
                    "different": .int(differing), "refused": .int(refused),
                    "keep_files": .int(kept), "unknown": .int(unknown),
                ]).json)
        }
        let mark = isClean ? style.green("✓") : style.red("✗")
        var parts = ["\(same) as before", "\(differing) different", "\(refused) refused"]
        if kept > 0 { parts.append("\(kept) with \(kept == 1 ? "its" : "their") own files") }
        if unknown > 0 { parts.append("\(unknown) with nothing to compare") }
        write(
            "\(mark) \(count == 1 ? "1 session" : "\(count) sessions"): "
                + parts.joined(separator: ", "))
    }
}
