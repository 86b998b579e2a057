import LuaVM
import Synchronization
import WorkflowKit
package import WorkflowLua

/// Finds calls into the flows of many sessions that do not end in time. The host's reaction to such
/// a call does not depend on the limits that should have ended it.
///
/// It costs nothing while no thread is slow: only then is ``look()`` called.
package final class CallWatch: Sendable {
    package enum Event: Sendable {
        /// The call has not ended in time.
        case stuck(StuckCall)
        /// A stuck call has ended after all.
        case ended(StuckCall)
    }

    /// The watch of one session's calls.
    fileprivate struct Watched {
        let subject: Subject
        let interrupt: FlowInterrupt
        /// The number of the call that was seen last, and when it was seen first.
        var call: UInt64 = 0
        var since: Duration = .zero
        /// Set while the call is stuck.
        var stuck: StuckCall?
    }

    private struct State {
        var sessions: [ObjectIdentifier: Watched] = [:]
        var report: @Sendable (Event) -> Void = { _ in }
    }

    private let state = Mutex(State())
    private let patience: Duration
    private let now: @Sendable () -> Duration

    /// - Parameter patience: The time that a call has beyond its limit.
    package init(
        patience: Duration = .seconds(1), now: @escaping @Sendable () -> Duration = CallWatch.uptime
    ) {
        self.patience = patience
        self.now = now
    }

    /// The time since a moment in the past.
    static var uptime: @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }

    /// Sets what is called with each event, on the thread that looks.
    package func report(to report: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.report = report }
    }

    /// A watch of a session's calls, for `FlowOptions.watch`.
    package func watching(_ subject: Subject) -> @Sendable (FlowInterrupt) -> @Sendable () -> Void {
        { [self] interrupt in
            let session = ObjectIdentifier(interrupt)
            state.withLock {
                $0.sessions[session] = Watched(subject: subject, interrupt: interrupt)
            }
            return { self.remove(session) }
        }
    }

    private func remove(_ session: ObjectIdentifier) {
        let (stuck, report) = state.withLock { state in
            let stuck = state.sessions.removeValue(forKey: session)?.stuck
            return (stuck, state.report)
        }
        if let stuck { report(.ended(stuck)) }
    }

    /// Looks at the running calls. To be called several times a second while some run for long.
    package func look() {
        let now = now()
        let (events, report) = state.withLock { state in
            var events: [Event] = []
            // In place: a loop over the keys would copy the whole.
            var index = state.sessions.startIndex
            while index != state.sessions.endIndex {
                state.sessions.values[index].look(now, patience, &events)
                state.sessions.formIndex(after: &index)
            }
            return (events, state.report)
        }
        for event in events { report(event) }
    }
}

extension CallWatch {
    /// A session whose calls are watched.
    package struct Subject: Sendable, Hashable {
        package let session: String
        let isCopy: Bool

        package init(_ session: String, isCopy: Bool = false) {
            self.session = session
            self.isCopy = isCopy
        }
    }
}

extension CallWatch.Watched {
    fileprivate mutating func look(
        _ now: Duration, _ patience: Duration, _ events: inout [CallWatch.Event]
    ) {
        let running = interrupt.running
        if let running, running.number == call {
            guard stuck == nil, let limit = running.limit, now - since >= limit + patience else {
                return
            }
            let place = interrupt.place
            let found = StuckCall(
                session: subject.session, flow: place?.flow ?? "", node: place?.node,
                isInCopy: subject.isCopy)
            stuck = found
            running.lowerPriority()
            events.append(.stuck(found))
            return
        }
        if let stuck { events.append(.ended(stuck)) }
        stuck = nil
        call = running?.number ?? 0
        since = now
    }
}
