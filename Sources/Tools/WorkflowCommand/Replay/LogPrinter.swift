import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

/// Prints the hits of log points in recordings: a table for people, or JSON lines.
final class LogPrinter {
    private let output: OutputStyle
    private let errors: OutputStyle
    private let isJSON: Bool
    /// True if each hit names its recording, because there are several.
    private let namesRecordings: Bool
    private var table: HitPrinter
    private(set) var count = 0
    private var moved: Set<LogPoint> = []

    init(output: OutputStyle, errors: OutputStyle, isJSON: Bool, namesRecordings: Bool) {
        self.output = output
        self.errors = errors
        self.isJSON = isJSON
        self.namesRecordings = namesRecordings
        table = HitPrinter(style: output.style, more: namesRecordings ? ["recording"] : [])
    }

    func print(_ hit: LogHit, of recording: String) {
        count += 1
        if isJSON {
            guard case .record(var record) = hit.document else { return }
            record["type"] = "hit"
            record["recording"] = .string(recording)
            return write(Value.record(record).json)
        }
        if count == 1 { write(table.header()) }
        write(table.line(hit, more: namesRecordings ? [recording] : []))
    }

    /// Reports the actual line of a log point if it is not the requested one.
    func print(_ point: LogPoint, at place: FlowError.Location) {
        guard place.line != point.line, !isJSON, moved.insert(point).inserted else { return }
        errors.stream.write(
            "note: \(printable(point.file)):\(point.line) has no code; "
                + "line \(place.line) is logged\n")
    }

    func note(_ text: String, of recording: String) {
        errors.stream.write("note: \(printable(recording)): \(printable(text))\n")
    }

    /// Reports where the replay starts to differ from the recording.
    func printEndOfPast(_ difference: ReplayDifference, of recording: String) {
        if isJSON {
            return write(
                Value.record([
                    "type": "difference", "recording": .string(recording),
                    "step": .int(difference.step),
                ]).json)
        }
        note(
            "step \(difference.step) is not as recorded, so nothing is logged from there on; see "
                + "workflow-run replay \(recording)", of: recording)
    }

    func printEnd(steps: Int, recordings: Int) {
        if isJSON {
            return write(
                Value.record([
                    "type": "log", "hits": .int(count), "steps": .int(steps),
                    "recordings": .int(recordings),
                ]).json)
        }
        write(
            "\(String.counted(count, "hit")) in \(String.counted(steps, "step"))"
                + (recordings > 1 ? " of \(recordings) recordings" : ""))
    }

    private func write(_ text: String) { output.stream.write(text + "\n") }
}
