public import PlainValue
import Synchronization
public import WorkflowKit
import WorkflowLua

/// Whoever speaks the JSON protocol with a session: what it may ask, and how it is told what happens.
///
/// May be used from any thread.
public final class ProtocolClient: Sendable {
    private struct State {
        var scopes = Set(RequestScope.allCases)
        /// Whether it may do less than all, and is told no secrets.
        var isNarrowed = false
        var follower: NewsFollower?
        /// The sessions that it can fork and end; `nil` where there is no place for them.
        var forks: SessionForks?
        /// Whether it has taken what it was told.
        var isReady: @Sendable () -> Bool = { true }
    }

    /// Its number, which the events that it asks for tell to all others; `nil` if there are no others.
    public let number: Int?
    private let patches = RenderingPatches()
    private let state = Mutex(State())

    /// A client that may ask everything, and is told of each event with all its fields.
    public init(number: Int? = nil) { self.number = number }

    /// An event as an object of the protocol, as this client is to be told of it; `nil` if it is not, since it follows the
    /// session by its news.
    ///
    /// All events of the session go through it, in order.
    public func record(of event: FlowEvent) -> Value? {
        guard wants(event) else { return nil }
        return patches.patched(event) ?? event.record
    }

    /// The event of a rendering with its changes, if that is what the client has asked for.
    func patched(_ event: FlowEvent) -> Value? { patches.patched(event) }

    func setPatches(_ isOn: Bool) { patches.setOn(isOn) }

    // MARK: Rights

    /// Leaves the client some of the rights that it has, and tells it no secrets from now on, and no events but its news.
    func narrow(to scopes: Set<RequestScope>) {
        state.withLock { state in
            state.scopes.formIntersection(scopes)
            state.isNarrowed = true
        }
    }

    /// Whether the client may ask what needs a scope.
    func may(_ scope: RequestScope) -> Bool { state.withLock { $0.scopes.contains(scope) } }

    /// - Throws: A `FlowError` with the code `not_granted` if the client may not ask what needs this scope.
    func require(_ scope: RequestScope, for verb: String) throws(FlowError) {
        guard !may(scope) else { return }
        throw FlowError(
            .notGranted, "'\(verb)' needs the right to \(scope.rawValue), which was not given",
            help: "ask whoever shared the session for an address with that right")
    }

    /// Whether fields that are secret are left out of what it is told.
    var hidesSecrets: Bool { state.withLock(\.isNarrowed) }

    // MARK: News

    /// What tells it of the session by its news, if it has asked for that.
    var follower: NewsFollower? { state.withLock(\.follower) }

    /// Begins to be told of a session by its news.
    ///
    /// - Returns: What tells it; `nil` if it is told so already.
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

    /// Says how to find out whether it has taken what it was told, so that there may be more news.
    func setReady(_ isReady: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isReady = isReady }
    }

    /// Whether it is told of an event at all.
    ///
    /// Who has not all rights is not: in events nothing is left out.
    func wants(_ event: FlowEvent) -> Bool {
        switch event.kind {
        case .news, .reply, .done: true
        default: wantsEvents
        }
    }

    /// Whether it is told of each event of the session.
    var wantsEvents: Bool { state.withLock { $0.follower == nil && !$0.isNarrowed } }
}
