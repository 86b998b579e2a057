import LuaVM
import WorkflowKit
import WorkflowLua

extension OpenSession {
    /// Opens a session at the end of a recording. The notes say which steps are not as recorded.
    /// Time continues from now. Workers do not run. Unless `isKept`, it is not recorded again.
    static func replay(
        _ recording: FlowRecording, of source: FlowSource, options: REPL.Options,
        isKept: Bool = true
    ) async throws(FlowError) -> (OpenSession, notes: [String]) {
        var (flowOptions, snapshot) = try recording.beginning(options.flowOptions)
        flowOptions.journal = nil
        flowOptions.now = FlowOptions.wallClock
        let feed = SessionFeed(isKept: isKept, onNews: options.onNews)
        let session = FlowSession(options: flowOptions) { feed.add($0) }
        options.interrupt.watch(session)
        await session.stopTime(at: recording.steps.first?.input.milliseconds)
        var differing = 0
        let differences: [ReplayDifference]
        do throws(FlowError) {
            try await session.start(source, restoring: snapshot)
            differences = try await recording.replay(in: session) { _, _, differs in
                if differs { differing += 1 }
                return true
            }
        } catch {
            await session.close()
            throw error
        }
        await session.stopTime(at: nil)
        var notes: [String] = []
        if let first = differences.first {
            notes.append(
                "\(differing) of \(recording.steps.count) inputs are not as they were recorded, "
                    + "the first at step \(first.step)")
        }
        if let lost = await session.lostSteps {
            notes.append(FlowError.notReplayable(lost).message)
        }
        return (OpenSession(session: session, feed: feed, file: source.file, isReplay: true), notes)
    }
}
