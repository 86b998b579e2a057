import HTTPServing
import HTTPTypes
import HummingbirdCore
import WorkflowKit

/// Decides whether a request is allowed, by principal, scope and limits.
struct Admission: Sendable {
    /// The allowed host names; `nil` for any.
    let hosts: AllowedHosts?
    let authentication: Authentication
    let rates: RateLimits
    let memory: HostMemory

    /// - Throws: A ``Problem`` if the request is not allowed, or not now.
    func principal(of request: Request, for route: Route) async throws(Problem) -> Principal {
        guard let scope = route.scope else { return Principal("anyone") }
        // Without a token, a page of another site could send the request.
        if authentication.isOpen, route.method != .get {
            try AllowedHosts.checkSite(request.head)
        }
        let principal = try await authentication.principal(of: request)
        try rates.take(principal.name)
        guard principal.has(scope) else { throw .notGranted(scope) }
        // Only requests that need more memory are refused.
        if route.method == .post { try memory.check() }
        return principal
    }

    /// True if the token is still known and still has the scope.
    func stillGrants(_ request: Request, _ route: Route) async -> Bool {
        guard let scope = route.scope else { return true }
        do throws(Problem) {
            return try await authentication.principal(of: request).has(scope)
        } catch {
            return false
        }
    }

    init(
        _ options: ServiceOptions, _ authentication: Authentication,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        hosts =
            options.isLocal && options.tls == nil
            ? AllowedHosts(options.hosts, by: options.hostsName) : nil
        self.authentication = authentication
        rates = RateLimits(rate: options.limits.rate, now: now)
        memory = HostMemory(limit: options.limits.hostMemory, now: now)
    }
}
