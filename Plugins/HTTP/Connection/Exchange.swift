import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import WorkerKit

/// Sends requests and follows redirects within the grants.
struct Exchange: Sendable {
    let context: WorkerContext

    private static let maximumRedirects = 10
    private static let maximumAddresses = 8

    /// Sends a request, repeatedly if that may help, and returns the complete response. The result
    /// of the last attempt counts, whatever it is.
    func answer(
        to call: Call, timeout: Double?, bytes: Int?, retrying retry: Retry?
    ) async throws -> Response {
        let limits = try Limits(timeout: timeout, bytes: bytes)
        let policy = try RetryPolicy(retry)
        for attempt in 1..<policy.attempts {
            var wait = policy.wait(after: attempt)
            do {
                let response = try await answer(to: call, within: limits)
                guard response.isPassing else { return response }
                if [429, 503].contains(response.status) {
                    wait = response.headers["retry-after"].flatMap(policy.wait(asked:)) ?? wait
                }
                context.log.debug("\(call.target.authority) answered \(response.status)")
            } catch let error as WorkerError where error.isPassing {
                context.log.debug(error.message)
            }
            try await context.sleep(for: .seconds(wait))
        }
        return try await answer(to: call, within: limits)
    }

    private func answer(to call: Call, within limits: Limits) async throws -> Response {
        let call = identified(call)
        return try await limited(call, limits) {
            let (response, target) = try await follow(call)
            do {
                return try await Response(
                    response, from: target, isHead: call.method == .HEAD, maximum: limits.bytes)
            } catch {
                throw failure(error, at: target)
            }
        }
    }

    /// Sends a request, and returns the start of the response with its URL.
    func begin(
        _ call: Call, within limits: Limits
    ) async throws -> (HTTPClientResponse, Target) {
        let call = identified(call)
        return try await limited(call, limits) { try await follow(call) }
    }

    private func identified(_ call: Call) -> Call {
        var call = call
        call.setIdempotencyKey(context.identity)
        return call
    }

    private func limited<Result: Sendable>(
        _ call: Call, _ limits: Limits, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await context.sleep(for: .seconds(limits.timeout))
                throw WorkerError.timedOut(
                    "\(call.target.authority) did not answer", limits.timeout, "timeout")
            }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private func follow(_ call: Call) async throws -> (HTTPClientResponse, Target) {
        var call = call
        for _ in 0...Self.maximumRedirects {
            try context.require(call.target.access)
            let response = try await send(call)
            let next = try call.redirected(
                by: response.status, location: response.headers.first(name: "location"))
            guard let next else { return (response, call.target) }
            call = next
        }
        throw WorkerError(
            "too_many_redirects", "there are more than \(Self.maximumRedirects) redirects")
    }

    private func send(_ call: Call) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: call.target.url)
        request.method = call.method
        request.headers = call.headers
        request.body = call.body.map { .bytes($0) }
        var rule = firstRule(for: call.target)
        for _ in 0...Self.maximumAddresses {
            do {
                return try await Clients.client(for: rule).execute(
                    request, deadline: .distantFuture)
            } catch let error as ForbiddenAddress {
                rule = try widen(rule, by: error, of: call.target)
            } catch {
                throw failure(error, at: call.target)
            }
        }
        throw WorkerError(
            "unreachable", "\(call.target.host) leads to another address each time")
    }

    /// The addresses allowed for a target before its name is resolved.
    private func firstRule(for target: Target) -> AddressRule {
        let isAddress = (try? SocketAddress(ipAddress: target.bareHost, port: 0)) != nil
        let isAllGranted = (try? context.require(Access("http", nil))) != nil
        return isAddress || target.host == "localhost" || isAllGranted ? .any : .publicAnd([])
    }

    /// Allows another address if it was granted in addition to the name.
    private func widen(
        _ rule: AddressRule, by forbidden: ForbiddenAddress, of target: Target
    ) throws(WorkerError) -> AddressRule {
        guard case .publicAnd(let known) = rule else { return rule }
        do throws(WorkerError) {
            try context.require(Access("http", "\(forbidden.name):\(target.port)"))
        } catch {
            throw WorkerError(
                error.code,
                "\(target.host) leads to \(forbidden.name), which is not a public address: "
                    + error.message,
                help: error.help)
        }
        return .publicAnd(known.union([forbidden.name]))
    }

    private func failure(_ error: any Error, at target: Target) -> any Error {
        Task.isCancelled ? CancellationError() : WorkerError(of: error, at: target)
    }
}

extension Target {
    /// The host, without the brackets of an IPv6 address.
    fileprivate var bareHost: String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }
}
