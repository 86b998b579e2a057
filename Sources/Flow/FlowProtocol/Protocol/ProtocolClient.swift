public import PlainValue
import Synchronization
public import WorkflowKit
import WorkflowLua

/// A client of the JSON protocol: its rights and its settings.
///
/// It may be used from any thread.
public final class ProtocolClient: Sendable {
    private struct State {
        var scopes = Set(RequestScope.allCases)
        /// True if it has lost rights and gets no secrets.
        var isNarrowed = false
        var follower: NewsFollower?
        /// The forks that it can make and end; `nil` where forks are not possible.
        var forks: SessionForks?
        /// True if the client has read what it was sent.
        var isReady: @Sendable () -> Bool = { true }
    }

    /// The client's number in the events that it causes; `nil` if there is only one client.
    public let number: Int?
    let patches = RenderingPatches()
    private let state = Mutex(State())

    /// Makes a client with all rights that gets whole events.
    public init(number: Int? = nil) { self.number = number }

    /// An event as an object for this client; `nil` if the client gets no such events, since it
    /// follows the session by its news.
    ///
    /// ```swift
    /// for await event in await session.events {
    ///     if let object = client.record(of: event) { print(object.json) }
    /// }
    /// ```
    ///
    /// - Precondition: All events of the session are passed, in order.
    public func record(of event: FlowEvent) -> Value? {
        guard wants(event) else { return nil }
        return patches.patched(event) ?? event.record
    }

    // MARK: Rights

    /// Reduces the client's rights. From now on it gets no secrets, and no events except its news.
    func narrow(to scopes: Set<RequestScope>) {
        state.withLock { state in
            state.scopes.formIntersection(scopes)
            state.isNarrowed = true
        }
    }

    func may(_ scope: RequestScope) -> Bool { state.withLock { $0.scopes.contains(scope) } }

    /// - Throws: A `FlowError` with the code `not_granted` if the client lacks the right.
    func require(_ scope: RequestScope, for verb: String) throws(FlowError) {
        guard !may(scope) else { return }
        throw FlowError(.lacksRight, verb, scope.rawValue)
    }

    var hidesSecrets: Bool { state.withLock(\.isNarrowed) }

    // MARK: News

    /// Sends the client news, if it has asked for it.
    var follower: NewsFollower? { state.withLock(\.follower) }

    /// Starts following a session; `nil` if the client follows it already.
    func follow(
        _ session: FlowSession, _ tell: @escaping @Sendable (FlowEvent.Kind) -> Void
    ) -> NewsFollower? {
        state.withLock { state in
            guard state.follower == nil else { return nil }
            state.follower = NewsFollower(session, isReady: state.isReady, tell: tell)
            return state.follower
        }
    }

    var forks: SessionForks? { state.withLock(\.forks) }

    func setForks(_ forks: SessionForks) { state.withLock { $0.forks = forks } }

    /// Sets the test that is true if the client has read all that it was sent.
    func setReady(_ isReady: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isReady = isReady }
    }

    /// True if the client gets an event. One without all rights gets none, as they hold secrets.
    func wants(_ event: FlowEvent) -> Bool {
        switch event.kind {
        case .news, .reply, .values, .done: true
        default: wantsEvents
        }
    }

    var wantsEvents: Bool { state.withLock { $0.follower == nil && !$0.isNarrowed } }
}
