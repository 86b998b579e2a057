import PlainValue
import Synchronization
import Timers
import WorkflowKit

/// Collects the events of a session and sends news to one client at intervals.
///
/// Making news and serving the requests that follow takes the session's time. So a pause follows
/// each news, longer if it took long.
final class NewsFollower: FlowAttachment {
    private struct State {
        var news = News()
        /// True if news is scheduled.
        var isDue = false
        /// True while it waits for the client to read the previous news.
        var isHeldUp = false
        var last: ContinuousClock.Instant?
        /// The earliest time of the next news.
        var next = ContinuousClock.now
        /// The time that the session spent on the client since the last news.
        var spent = Duration.zero
        var isClosed = false
    }

    /// The shortest time between two news.
    private static let pause = Duration.milliseconds(50)
    /// The session has this many times as long for everything else as it spends on a client.
    private static let share = 50

    private weak let session: FlowSession?
    private let isReady: @Sendable () -> Bool
    private let tell: @Sendable (FlowEvent.Kind) -> Void
    private let state = Mutex(State())

    /// - Parameter isReady: True if the client has read the previous news.
    init(
        _ session: FlowSession, isReady: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable (FlowEvent.Kind) -> Void
    ) {
        self.session = session
        self.isReady = isReady
        self.tell = tell
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    func end() { state.withLock { $0.isClosed = true } }

    func close() async { end() }

    func sessionWillEnd() {
        guard state.withLock({ $0.isDue || $0.isHeldUp }) else { return }
        session?.assumeIsolated { session in
            var news = state.withLock(\.news)
            tell(.news(news.document(of: session)))
        }
    }

    func receive(_ event: FlowEvent) {
        let step = session?.assumeIsolated { $0.step } ?? 0
        state.withLock { $0.news.add(event, step: step) }
        schedule()
    }

    func add(_ time: Duration) { state.withLock { $0.spent += time } }

    /// Continues after the client has read the previous news.
    func resume() {
        let wasHeldUp = state.withLock { state in
            defer { state.isHeldUp = false }
            return state.isHeldUp
        }
        if wasHeldUp { schedule() }
    }

    private func schedule() {
        let isFirst = state.withLock { state in
            if state.isDue || state.isClosed { return false }
            state.isDue = true
            return true
        }
        guard isFirst else { return }
        wait()
    }

    /// Sends the scheduled news at its time.
    private func wait() {
        Task(executorPreference: session?.options.executor) { [weak self] in
            while let next = self?.state.withLock(\.next), next > .now {
                // Nobody cancels this task, so the sleep does not fail.
                try? await TimerClock().sleep(until: next)
            }
            guard let self else { return }
            await session?.tellNews(to: self)
        }
    }

    /// Brings the next news forward: a client that did something wants to see the effect.
    func hurry() {
        let isEarlier = state.withLock { state in
            guard state.isDue, let last = state.last, last + Self.pause < state.next else {
                return false
            }
            state.next = last + Self.pause
            return true
        }
        if isEarlier { wait() }
    }

    /// Sends the news. Called on the session.
    func tellNews(_ make: (inout News) -> Value) {
        // The news may have been brought forward and sent.
        guard state.withLock({ $0.isDue || $0.last == nil }) else { return }
        guard isReady() else {
            state.withLock { state in
                state.isDue = false
                state.isHeldUp = true
            }
            // The client may have become ready meanwhile.
            if isReady() { resume() }
            return
        }
        let begun = ContinuousClock.now
        var news = state.withLock { state in
            state.isDue = false
            return state.news
        }
        let document = make(&news)
        tell(.news(document))
        state.withLock { state in
            news.removeTold()
            state.news = news
            let now = ContinuousClock.now
            state.last = now
            state.next = now + max(Self.pause, (state.spent + (now - begun)) * Self.share)
            state.spent = .zero
        }
    }
}

extension FlowSession {
    /// Starts sending news to a client, the first at once.
    func follow(_ follower: NewsFollower) {
        attach(follower)
        tellNews(to: follower)
    }

    func tellNews(to follower: NewsFollower) {
        guard !isClosed else { return }
        follower.tellNews { news in news.document(of: self) }
    }
}
