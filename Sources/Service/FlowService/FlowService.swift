import HTTPServing
import Logging
import SessionPlugin
import Timers
import WorkflowKit
public import WorkflowLua
import WorkflowStore

/// A backend of flows. Each session is a row in a store, and each action is a request.
///
/// ```swift
/// let options = ServiceOptions(flows: [.init(file: "todo.lua")], store: "sessions.db")
/// try await FlowService.run(options) { service in print(service.address) }
/// ```
///
/// - Important: Only ``drain()`` ends a service that ``init(_:)`` has made. One that is released
///   goes on to serve.
public final class FlowService: Sendable {
    /// The port that it listens at.
    public let port: Int
    /// The URL for clients.
    public let address: String
    /// The token that was made for this run, if the options ask for one.
    public var token: String? { authentication.token }
    /// The served flows, sorted by name.
    public let flows: [ServedFlow]

    private let failures: AsyncStream<FlowError>
    private let listeners: [Listener]
    private let authentication: Authentication
    private let certificates: ServerCertificates?
    private let logger: Logger
    private let state: ServiceState
    private let sessions: ServedSessions
    private let inspections: Inspections
    private let store: any SharedSessionStore
    private let limits: ServiceLimits
    private let metrics = ServiceMetrics()

    /// Loads the flows, opens the store and starts serving.
    ///
    /// ```swift
    /// options.port = 0
    /// let service = try await FlowService(options)
    /// print(service.port)  // one that was free
    /// ```
    ///
    /// - Throws: A `FlowError` for a flow, a store or a port that cannot be used. For a store, its
    ///   `cause` is the `StoreError`. Nothing goes on then, and the store is closed.
    public init(_ options: ServiceOptions) async throws(FlowError) {
        if case .madeToken = options.access, !options.isLocal {
            throw FlowError(.openToAll, options.host)
        }
        guard options.isLocal || options.trustsFlows || options.isolatesAll else {
            throw FlowError(.untrusted, options.host)
        }
        let processes = options.scriptProcesses
        let table = try FlowTable(
            options.flows, code: options.code, counting: metrics, sharing: processes)
        let logger = options.logger
        self.logger = logger
        certificates = try options.tls.map(ServerCertificates.init)
        authentication = try await Authentication(
            options.access, now: { Double(FlowOptions.wallClock()) / 1000 }, uptime: { .now },
            report: { logger.warning("\($0.location.map { "\($0): " } ?? "")\($0.message)") })
        let files = try ServiceFiles(flows: table.all.map(\.name), isOpen: authentication.isOpen)
        do throws(StoreError) {
            store = try await ServedStore.open(
                options.store, onCommit: { [metrics] in metrics.commit(changes: $0) })
        } catch {
            throw FlowError(error)
        }
        limits = options.limits
        state = ServiceState()
        let traces = ServiceTraces(options.tracer)
        let (failures, fail) = AsyncStream<FlowError>.makeStream()
        self.failures = failures
        sessions = ServedSessions(
            flows: table, store: store, readers: SessionReaders(most: limits.streams),
            limits: limits, processes: processes, traces: traces, logger: logger,
            onFailure: { fail.yield(FlowError($0)) })
        options.sessionSlot?.service = sessions
        inspections = Inspections(sessions, limits)
        flows = table.all
        let bodies = RequestBodies(limits)
        let inspect = InspectRoutes(sessions: sessions, inspections: inspections, limits: limits)
        let responder = ServiceResponder(
            admission: Admission(options, authentication, now: { .now }),
            routes: RouteTable(
                Route.state(state, of: sessions) + [
                    .metrics(metrics, of: sessions, bodies: bodies), .flows(flows),
                ]
                    + SessionRoutes(sessions: sessions, limits: limits).all + inspect.all
                    + files.routes),
            state: state, bodies: bodies, metrics: metrics, traces: traces,
            logger: options.logger)
        do throws(FlowError) {
            do throws(StoreError) { try await sessions.begin() } catch { throw FlowError(error) }
            listeners = try await Listener.all(options, certificates, responder)
        } catch {
            // Its beats would keep its sessions from other services.
            await inspections.close()
            await sessions.close()
            try? store.close()
            throw error
        }
        port = listeners.first?.port ?? 0
        let host = options.host == "localhost" ? "127.0.0.1" : options.host
        let scheme = options.tls == nil ? "http" : "https"
        address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Serves until the task is cancelled or the store is lost, and then drains the service.
    ///
    /// ```swift
    /// options.limits.drainDelay = .seconds(5)
    /// try await FlowService.run(options) { service in print(service.address) }
    /// ```
    ///
    /// - Parameters:
    ///   - options: The settings of the service.
    ///   - whenServing: Called once, when requests are answered. The service ends only after it has
    ///     returned.
    /// - Returns: After a cancellation, what ``drain()`` returns.
    /// - Throws: As ``init(_:)``; after draining, the error of ``failure()``. What ``drain()``
    ///   returns is lost then: whoever needs it calls the three one by one.
    @discardableResult
    public static func run(
        _ options: ServiceOptions, isolation: isolated (any Actor)? = #isolation,
        whenServing: (FlowService) async -> Void = { _ in }
    ) async throws(FlowError) -> Bool {
        let service = try await FlowService(options)
        await whenServing(service)
        let failure = await service.failure()
        let hasEnded = await service.drain()
        if let failure { throw failure }
        return hasEnded
    }

    /// Reads the token files, keys and certificates again. A file that cannot be used is logged,
    /// and its previous contents stay in force.
    ///
    /// ```swift
    /// for await _ in hangUps { await service.reload() }
    /// ```
    public func reload() async {
        await authentication.reload()
        do throws(FlowError) {
            try certificates?.reload()
        } catch {
            logger.warning("\(error.message)")
        }
    }

    /// Waits until the service cannot go on, because its store was removed or replaced.
    ///
    /// ```swift
    /// if let error = await service.failure() { print(error.message) }
    /// await service.drain()
    /// ```
    ///
    /// - Important: One task may wait.
    /// - Returns: The reason; `nil` if the task was cancelled.
    public func failure() async -> FlowError? { await failures.first { _ in true } }

    /// Ends the service. It reports that it is not ready, waits, refuses new connections, finishes
    /// its requests, ends its streams and closes its sessions. Acknowledged changes are kept. A
    /// cancellation of the task does not shorten it.
    ///
    /// ```swift
    /// options.limits.drainTime = .seconds(30)
    /// let service = try await FlowService(options)
    /// if await !service.drain() { exit(1) }
    /// ```
    ///
    /// - Returns: False if calls into flows do not end, or something else was still running at the
    ///   end of the time.
    /// - Important: After false the program should end without waiting for its threads.
    @discardableResult
    public func drain() async -> Bool {
        state.drain()
        return await Task { await endInTime() }.value
    }

    private func endInTime() async -> Bool {
        try? await TimerClock().sleep(for: limits.drainDelay)
        let (ends, end) = AsyncStream<Bool>.makeStream()
        Task {
            await endAll()
            end.yield(true)
        }
        let deadline = Task {
            try await TimerClock().sleep(for: limits.drainTime)
            end.yield(false)
        }
        let hasEnded = await ends.first { _ in true } ?? false
        deadline.cancel()
        return hasEnded && sessions.pool.stuckCallCount == 0
    }

    private func endAll() async {
        sessions.readers.close()
        async let inspected: Void = inspections.close()
        await withTaskGroup(of: Void.self) { group in
            for listener in listeners {
                group.addTask { [limits] in await listener.drain(within: limits.requestTime) }
            }
        }
        await inspected
        await sessions.close()
        // All that was acknowledged is stored already.
        try? store.close()
    }
}
