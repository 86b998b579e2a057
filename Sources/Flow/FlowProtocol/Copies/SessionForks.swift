import Synchronization
import WorkflowKit
import WorkflowLua

/// The forks of a session. Each has its own socket next to the session's: `PATH.2`, `PATH.3`.
///
/// A fork plays the same flow with the same inputs up to a step. Its workers do not run, and the
/// two sessions do not know of each other.
final class SessionForks: Sendable {
    private struct State {
        var last = 1
        var forks: [Int: (session: FlowSession, socket: FlowSocket)] = [:]
        /// The number of forks that are being made.
        var begun = 0
        var isClosed = false
    }

    private static let most = 8

    private let path: String
    private let limits: SocketLimits
    private let user: UInt32
    private let state = Mutex(State())

    init(path: String, limits: SocketLimits, user: UInt32) {
        self.path = path
        self.limits = limits
        self.user = user
    }

    /// Makes a fork, plays inputs in it, and returns its number.
    func make(
        _ source: FlowSource, _ options: FlowOptions, _ snapshot: FlowSnapshot?,
        _ inputs: [FlowInput]
    ) async throws(FlowError) -> Int {
        let number = state.withLock { state -> Int? in
            guard !state.isClosed, state.forks.count + state.begun < Self.most else { return nil }
            state.begun += 1
            state.last += 1
            return state.last
        }
        guard let number else { throw FlowError(.tooManyForks, Self.most) }
        let session = FlowSession(options: options)
        let socket: FlowSocket
        do throws(FlowError) {
            try await session.start(source, restoring: snapshot)
            for input in inputs {
                // An input that failed before fails again.
                do throws(FlowError) { try await session.play(input) } catch {}
            }
            socket = try await session.listen(
                at: "\(path).\(number)", limits: limits, user: user, forks: self)
        } catch {
            state.withLock { $0.begun -= 1 }
            await session.close()
            throw error
        }
        let isClosed = state.withLock { state in
            state.begun -= 1
            if !state.isClosed { state.forks[number] = (session, socket) }
            return state.isClosed
        }
        if isClosed { await session.close() }
        return number
    }

    /// Ends a fork; `false` if there is none with this number.
    func end(_ number: Int) -> Bool {
        guard let fork = state.withLock({ $0.forks.removeValue(forKey: number) }) else {
            return false
        }
        Self.close(fork.session)
        return true
    }

    /// Ends all forks and refuses new ones.
    func endAll() {
        let forks = state.withLock { state in
            state.isClosed = true
            defer { state.forks = [:] }
            return state.forks.values.map(\.session)
        }
        for session in forks { Self.close(session) }
    }

    private static func close(_ session: FlowSession) {
        Task(executorPreference: session.options.executor) { await session.close() }
    }
}
