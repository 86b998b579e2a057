import HTTPServing
import HTTPTypes
import HummingbirdCore
import WorkflowKit
import WorkflowLua

/// Identifies the principal of a request.
struct Authentication: Sendable {
    private enum Way: Sendable {
        case table(TokenTable)
        case files(WatchedFile<TokenTable>?, (SignedTokens, WatchedFile<IssuerKeys>)?)
        case everybody
    }

    private let way: Way
    private let now: @Sendable () -> Double

    let token: String?

    /// - Parameters:
    ///   - now: In seconds since 1970.
    ///   - uptime: Schedules checks of the files.
    ///   - report: Called with the reason why a changed file cannot be used.
    init(
        _ access: ServiceAccess, now: @escaping @Sendable () -> Double,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        report: @escaping @Sendable (FlowError) -> Void
    ) async throws(FlowError) {
        self.now = now
        switch access {
        case .everybody:
            way = .everybody
            token = nil
        case .madeToken:
            let owner = Principal("owner", scopes: Set(ServiceScope.allCases))
            let made = ServiceToken.random()
            way = .table(TokenTable(made, for: owner))
            token = made
        case .files(let tokens, let issuer):
            var table: WatchedFile<TokenTable>?
            if let tokens {
                table = try await WatchedFile(tokens, now: uptime, report: report) {
                    bytes throws(FlowError) in try TokenTable(bytes, file: tokens)
                }
            }
            var signed: (SignedTokens, WatchedFile<IssuerKeys>)?
            if let issuer {
                let keys = try await WatchedFile(issuer.keys, now: uptime, report: report) {
                    bytes throws(FlowError) in try IssuerKeys(bytes, file: issuer.keys)
                }
                signed = (SignedTokens(issuer: issuer.name, audience: issuer.audience), keys)
            }
            way = .files(table, signed)
            token = nil
        }
    }

    var isOpen: Bool { if case .everybody = way { true } else { false } }

    func reload() async {
        guard case .files(let tokens, let signed) = way else { return }
        await tokens?.reload()
        await signed?.1.reload()
    }

    /// - Throws: A ``Problem`` without a valid token.
    func principal(of request: Request) async throws(Problem) -> Principal {
        if case .everybody = way { return .anyone }
        guard let header = request.headers[.authorization] else { throw .noToken }
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw .noToken }
        return try await principal(of: String(words[1]))
    }

    private func principal(of token: String) async throws(Problem) -> Principal {
        switch way {
        case .everybody: throw .noToken
        case .table(let table):
            guard let principal = table.principal(of: token) else { throw .wrongToken(nil) }
            return principal
        case .files(let tokens, let signed):
            if let signed, SignedTokens.canBe(token) {
                let keys = await signed.1.contents()
                do throws(Refusal) {
                    return try signed.0.principal(of: token, by: keys, now: now())
                } catch {
                    throw .wrongToken(error.reason)
                }
            }
            guard let principal = await tokens?.contents().principal(of: token) else {
                throw .wrongToken(nil)
            }
            return principal
        }
    }
}

extension Problem {
    fileprivate static let noToken = Problem(
        .unauthorized, "no_token", "Missing token",
        detail: "Send a token: Authorization: Bearer …")

    fileprivate static func wrongToken(_ reason: String?) -> Problem {
        Problem(
            .unauthorized, "wrong_token", "Unknown token",
            detail: reason.map { "The token is not taken: \($0)." } ?? "No such token is known.")
    }

    static func notGranted(_ scope: ServiceScope) -> Problem {
        Problem(
            .forbidden, "not_granted", "Missing scope",
            detail: "It does not have the scope \(scope.rawValue).")
    }
}
