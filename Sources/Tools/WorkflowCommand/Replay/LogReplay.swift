import Synchronization
import WorkflowKit
import WorkflowLua

/// Replays recordings and prints the hits of log points.
struct LogReplay {
    let points: [LogPoint]
    let printer: LogPrinter
    /// True if steps that differ from the recording are logged too, because another flow is played.
    let goesOn: Bool

    /// Replays one recording and counts its steps.
    func play(
        _ recording: FlowRecording, named name: String, of source: FlowSource,
        _ options: FlowOptions
    ) async throws(FlowError) -> (steps: Int, isAsRecorded: Bool) {
        let session = try await recording.makeSession(of: source, options: options)
        // Hits are printed after the step is known to match the recording.
        let hits = Mutex<[LogHit]>([])
        try await session.log(points, steps: 0...0) { hit in hits.withLock { $0.append(hit) } }
        let places = try await session.startLogging(points) { hit in
            hits.withLock { $0.append(hit) }
        }
        for (point, place) in zip(points, places) { printer.print(point, at: place) }
        var played = 0
        var lost: ClosedRange<Int>?
        let hash = await session.hash
        let differences = try await recording.replay(in: session) { step, _, differs in
            played = step
            let met = hits.withLock { hits in
                defer { hits = [] }
                return hits
            }
            guard goesOn || !differs else { return false }
            // Lines of other files are not those of the points.
            if !goesOn, recording.isOfOtherFiles(step, than: hash) {
                let number = step > 0 ? recording.steps[step - 1].number : 0
                let (first, last) = (lost?.lowerBound ?? number, lost?.upperBound ?? number)
                lost = min(first, number)...max(last, number)
                return true
            }
            for hit in met { printer.print(hit, of: name) }
            return true
        }
        await session.close()
        if let lost {
            // The last of them led to the state that was kept.
            let last = max(lost.lowerBound, lost.upperBound - 1)
            printer.note(FlowError.notReplayable(lost.lowerBound...last).message, of: name)
        }
        guard let first = differences.first else { return (played, true) }
        if !goesOn { printer.printEndOfPast(first, of: name) }
        return (played, false)
    }
}
