import HTTPServing
import HTTPTypes
import HummingbirdCore

/// Decides whether a request is taken: who asks, what they may do, how much there is of it.
struct Admission: Sendable {
    /// The names under which the service is reached; `nil` if any will do.
    let hosts: AllowedHosts?
    let authentication: Authentication
    let rates: RateLimits
    let memory: HostMemory

    /// Who asks for what a route does.
    ///
    /// - Throws: A ``Problem`` if they may not, or not now.
    func principal(of request: Request, for route: Route) async throws(Problem) -> Principal {
        guard let scope = route.scope else { return Principal(name: "anyone", scopes: []) }
        // No token keeps a page of another site from asking.
        if authentication.isOpen, route.method != .get {
            try AllowedHosts([]).checkSite(request.head)
        }
        let principal = try await authentication.principal(of: request)
        try rates.take(principal.name)
        guard principal.scopes.contains(scope) else { throw .notGranted(scope) }
        // What only reads, or gives back, goes on.
        if route.method == .post { try memory.check() }
        return principal
    }

    /// Whether somebody who was let do what a route does may do so now: the token is still known and has the scope.
    func stillGrants(_ request: Request, _ route: Route) async -> Bool {
        guard let scope = route.scope else { return true }
        do throws(Problem) {
            return try await authentication.principal(of: request).scopes.contains(scope)
        } catch {
            return false
        }
    }

    init(
        _ settings: ServiceSettings, _ authentication: Authentication,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        hosts = settings.isLocal && settings.tls == nil ? AllowedHosts(settings.hosts) : nil
        self.authentication = authentication
        rates = RateLimits(rate: settings.limits.rate, now: now)
        memory = HostMemory(limit: settings.limits.hostMemory, now: now)
    }
}
