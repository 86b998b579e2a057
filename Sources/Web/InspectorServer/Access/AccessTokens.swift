import HTTPServing
import Synchronization

/// The rights of an authenticated client.
package struct Access: Sendable, Equatable {
    /// Identifies the client, such as its token.
    package let token: String
    package let scopes: [InspectorScope]
    /// True if this is who started the server, for whom some streams are kept.
    package let isOwner: Bool

    package init(token: String, scopes: [InspectorScope], isOwner: Bool = false) {
        self.token = token
        self.scopes = scopes
        self.isOwner = isOwner
    }
}

/// The tokens of a server with their scopes. The time of a comparison does not depend on the common
/// part. Ten wrong tokens make a pause.
final class AccessTokens: Sendable {
    private struct State {
        var accesses: [Access]
        var wrong = 0
        var silentUntil: ContinuousClock.Instant?
    }

    private static let mostWrong = 10
    static let silence = Duration.seconds(1)

    private let state: Mutex<State>
    private let most: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    /// The token in the page's URL.
    let first: String

    init(
        scopes: [InspectorScope], shares: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        first = SecretText.random()
        most = shares + 1
        self.now = now
        state = Mutex(State(accesses: [Access(token: first, scopes: scopes, isOwner: true)]))
    }

    /// The widest rights of some tokens.
    ///
    /// - Parameter areCookies: True if the tokens are of earlier logins. Right ones are accepted
    ///   during the pause too, so that nobody can lock out a page.
    /// - Throws: A ``Problem`` if all are wrong, and for any others during the pause.
    func access(by tokens: [String], areCookies: Bool = false) throws(Problem) -> Access {
        let result = state.withLock { state -> Result<Access, Problem> in
            let found = tokens.compactMap { Self.find($0, in: state.accesses) }
                .max { $0.scopes.count < $1.scopes.count }
            if let found, areCookies { return .success(found) }
            if let end = state.silentUntil {
                if now() < end { return .failure(.silent) }
                state.silentUntil = nil
            }
            if let found {
                state.wrong = 0
                return .success(found)
            }
            state.wrong += 1
            if state.wrong == Self.mostWrong {
                state.wrong = 0
                state.silentUntil = now() + Self.silence
            }
            return .failure(.wrongToken)
        }
        return try result.get()
    }

    /// The number of an access, which is not a secret: 0 for that of the page's URL.
    func number(of access: Access) -> Int {
        state.withLock { $0.accesses.firstIndex(of: access) ?? 0 }
    }

    /// Makes a token with some of the scopes of another.
    func share(_ scopes: [InspectorScope]) throws(Problem) -> String {
        let token = SecretText.random()
        let hasRoom = state.withLock { state in
            guard state.accesses.count < most else { return false }
            state.accesses.append(Access(token: token, scopes: scopes))
            return true
        }
        guard hasRoom else {
            throw Problem(
                .serviceUnavailable, "busy", "Too many links",
                detail: "\(most - 1) links were made, and no more are.")
        }
        return token
    }

    private static func find(_ token: String, in accesses: [Access]) -> Access? {
        var found: Access?
        // Compare all, so that the time does not depend on which one is right.
        for access in accesses where SecretText.isEqual(access.token.utf8, token.utf8) {
            found = access
        }
        return found
    }
}

extension Problem {
    fileprivate static let wrongToken = Problem(
        .forbidden, "wrong_token", "Wrong token",
        detail: "Take the address that the program has printed since it was started.")

    fileprivate static let silent = Problem(
        .tooManyRequests, "wrong_token", "Too many wrong tokens",
        detail: "Tokens are looked at again in a second.", retryAfter: 1)
}
