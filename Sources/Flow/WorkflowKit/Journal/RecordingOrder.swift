import PlainValue
import WorkflowLua

/// Checks the order of a recording's lines by their numbers: none is missing, doubled or moved.
struct RecordingOrder {
    private var last: (number: Int, isSealed: Bool)?

    /// - Parameter isSealed: True if the line has a sum. Lines without one may have been changed on
    ///   purpose, or come from a client's view of the session.
    mutating func check(_ record: Value, isSealed: Bool) throws(FlowError) {
        guard let number = try record.natural("seq", .recording) else { return }
        defer { last = (number, isSealed) }
        guard let last else { return }
        guard record["type"] != "ready" else { throw FlowError(.secondRecording) }
        let isPlain = !isSealed || !last.isSealed
        // A client sees only some events, so plain lines may have gaps.
        guard number < last.number || (!isPlain && number != last.number + 1) else { return }
        let next = last.number + 1
        guard number > next else { throw FlowError(.misplacedLine, number, last.number) }
        let count = number - next
        throw FlowError(.missingLines, count == 1 ? "1 line is" : "\(count) lines are")
    }
}
