import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

/// Prints what was logged of recordings: a table for people, or JSON lines.
final class LogPrinter {
    private let output: OutputStyle
    private let errors: OutputStyle
    private let isJSON: Bool
    /// Whether there are several recordings, so that each hit says of which it is.
    private let namesRecordings: Bool
    private var widths: [Int] = []
    private(set) var count = 0

    init(output: OutputStyle, errors: OutputStyle, isJSON: Bool, namesRecordings: Bool) {
        self.output = output
        self.errors = errors
        self.isJSON = isJSON
        self.namesRecordings = namesRecordings
    }

    func print(_ hit: LogHit, of recording: String) {
        count += 1
        if isJSON { return write(hit.record(of: recording).json) }
        if widths.isEmpty { printHeader() }
        let what: String =
            switch hit.content {
            case .success(let content): printable(content.text)
            case .failure(let error): output.style.red(printable(error.message))
            }
        write(
            row(
                [
                    "\(hit.step)", hit.node.isEmpty ? "–" : hit.node, hit.phase.description,
                    hit.location.description,
                ], of: recording) + what)
    }

    private func printHeader() {
        widths = [6, 8, 12, 12]
        if namesRecordings { widths.append(12) }
        write(output.style.dim(row(["step", "node", "in", "line"], of: "recording")))
    }

    /// The cells of a line; a column gets as wide as its widest cell so far.
    private func row(_ cells: [String], of recording: String) -> String {
        var cells = cells.map { printable($0) }
        if namesRecordings { cells.append(printable(recording)) }
        var line = ""
        for (index, cell) in cells.enumerated() {
            let width = cell.unicodeScalars.count
            widths[index] = max(widths[index], width)
            let space = String(repeating: " ", count: widths[index] - width)
            line += index == 0 ? space + cell + "  " : cell + space + "  "
        }
        return line
    }

    /// Says from where on what is played is not what was recorded.
    func printEndOfPast(_ difference: ReplayDifference, of recording: String) {
        if isJSON {
            return write(
                Value.record([
                    "type": "difference", "recording": .string(recording),
                    "step": .int(difference.step),
                ]).json)
        }
        errors.stream.write(
            "note: \(printable(recording)): step \(difference.step) is not as recorded, so nothing is "
                + "logged from there on; see workflow-run replay \(printable(recording))\n")
    }

    func printEnd(steps: Int, recordings: Int) {
        if isJSON {
            return write(
                Value.record([
                    "type": "log", "hits": .int(count), "steps": .int(steps),
                    "recordings": .int(recordings),
                ]).json)
        }
        let hits = count == 1 ? "1 hit" : "\(count) hits"
        let played = steps == 1 ? "1 step" : "\(steps) steps"
        write("\(hits) in \(played)" + (recordings > 1 ? " of \(recordings) recordings" : ""))
    }

    private func write(_ text: String) { _ = output.stream.write(text + "\n") }
}

extension LogHit {
    fileprivate func record(of recording: String) -> Value {
        var record: Value.Record = [
            "type": "hit", "recording": .string(recording), "step": .int(step), "call": .int(call),
            "node": .string(node), "phase": .string(phase.description),
            "file": .string(location.file), "line": .int(location.line),
        ]
        switch content {
        case .success(let content):
            record["text"] = .string(content.text)
            record["values"] = .list(Value.List(content.values))
        case .failure(let error): record["error"] = .string(error.message)
        }
        return .record(record)
    }
}
