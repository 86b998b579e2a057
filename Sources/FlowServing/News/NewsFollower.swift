import PlainValue
import Synchronization
import WorkflowKit
import WorkflowLua

/// Puts together what happens in a session, and tells of it as often as one client can use it.
///
/// What a client is told costs the session time, and so does what the client asks then. So there is a pause after each
/// news, which is longer if it took long.
final class NewsFollower: FlowAttachment {
    private struct State {
        var news = News()
        /// Whether somebody will tell it.
        var isDue = false
        /// Whether it waits for the client to take what was told before.
        var isHeldUp = false
        /// When it was told last.
        var last: ContinuousClock.Instant?
        /// When it may be told next.
        var next = ContinuousClock.now
        /// How long the session was busy with the client since the last news.
        var spent = Duration.zero
        var isClosed = false
    }

    /// The shortest time between two news.
    private static let pause = Duration.milliseconds(50)
    /// How many times as long as it was busy with a client the session has for all else.
    private static let share = 20

    private weak let session: FlowSession?
    private let isReady: @Sendable () -> Bool
    private let tell: @Sendable (FlowEvent.Kind) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isReady: Whether the client has taken what it was told.
    ///   - tell: Tells it.
    init(
        _ session: FlowSession, isReady: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable (FlowEvent.Kind) -> Void
    ) {
        self.session = session
        self.isReady = isReady
        self.tell = tell
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Tells no more.
    func end() { state.withLock { $0.isClosed = true } }

    func close() async { end() }

    /// Tells what was not told yet.
    func sessionWillEnd() {
        guard state.withLock({ $0.isDue || $0.isHeldUp }) else { return }
        session?.assumeIsolated { session in
            tell(.news(state.withLock { $0.news }.finalDocument(of: session)))
        }
    }

    func receive(_ event: FlowEvent) {
        let step = session?.assumeIsolated { $0.step } ?? 0
        state.withLock { $0.news.add(event, step: step) }
        schedule()
    }

    /// Adds to the time that the session was busy with the client.
    func add(_ time: Duration) { state.withLock { $0.spent += time } }

    /// Goes on after the client has taken what it was told.
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

    /// Tells what is due when it may be told.
    private func wait() {
        Task { [weak self] in
            while let next = self?.state.withLock(\.next), next > .now {
                try? await Task.sleep(until: next)
            }
            guard let self else { return }
            await session?.tellNews(to: self)
        }
    }

    /// Tells what is due as soon as after a step that cost nothing: whoever has done something wants to see it.
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

    /// Tells the news; called on the session.
    func tellNews(_ make: (inout News) -> Value) {
        // It may have been told already, since it was in a hurry.
        guard state.withLock({ $0.isDue || $0.last == nil }) else { return }
        guard isReady() else {
            state.withLock { state in
                state.isDue = false
                state.isHeldUp = true
            }
            // It may have become ready in between.
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
    /// Begins to tell a client of the session by its news; the first come at once.
    func follow(_ follower: NewsFollower) {
        attach(follower)
        tellNews(to: follower)
    }

    func tellNews(to follower: NewsFollower) {
        guard !isClosed else { return }
        follower.tellNews { news in news.document(of: self) }
    }
}
