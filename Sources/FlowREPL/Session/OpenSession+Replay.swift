import LuaVM
import Synchronization
import WorkflowKit
import WorkflowLua

extension OpenSession {
    /// Opens a session at the end of a recording. Also returns the steps that differ from it.
    ///
    /// Time continues from now. Workers do not run.
    ///
    /// - Parameter isKept: False if the session is not recorded again.
    static func replay(
        _ recording: FlowRecording, of source: FlowSource, settings: REPL.Settings,
        isKept: Bool = true
    ) async throws(FlowError) -> (OpenSession, differing: [Int]) {
        // 0 is the time of now.
        let clock = PlayedClock()
        var (options, snapshot) = try recording.beginning(settings.options)
        options.journal = nil
        options.now = { clock.time }
        let feed = SessionFeed(isKept: isKept, onNews: settings.onNews)
        let session = FlowSession(options: options) { feed.add($0) }
        settings.interrupt.watch(session)
        clock.played = recording.steps.first?.input.milliseconds
        var differing: [Int] = []
        do throws(FlowError) {
            try await session.start(source, restoring: snapshot)
            for move in recording.firstMoves { try await session.go(to: move) }
            for step in recording.steps {
                clock.played = step.input.milliseconds
                let before = await session.rendering
                // An input that failed in the recording fails again.
                do throws(FlowError) { try await session.play(step.input) } catch {}
                let isOpen = step.isCut && step.rendering == nil
                if !isOpen, await session.rendering != step.rendering ?? before {
                    differing.append(step.number)
                }
                for move in step.moves { try await session.go(to: move) }
            }
        } catch {
            await session.close()
            throw error
        }
        clock.played = nil
        return (
            OpenSession(session: session, feed: feed, file: source.file, isReplay: true), differing
        )
    }
}

/// The time of the input that is being played, or the current time.
private final class PlayedClock: Sendable {
    private let milliseconds = Mutex<Int?>(nil)

    var played: Int? {
        get { milliseconds.withLock { $0 } }
        set { milliseconds.withLock { $0 = newValue } }
    }

    var time: Int { played ?? FlowOptions.wallClock() }
}
