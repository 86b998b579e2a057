/// What a running worker gets from its host.
public struct WorkerContext: Sendable {
    /// Writes to the log of the session.
    public let log: WorkerLogger

    /// The clock of the session; waiting on it takes no time in tests.
    public let clock: any Clock<Duration>

    /// The absolute path of the folder that relative paths start from.
    public let folder: String

    /// Which run it is; `nil` outside of a session, and in a library that an older host has loaded.
    public let identity: WorkerIdentity?

    private let check: @Sendable (Access) throws(WorkerError) -> String

    /// A context that checks access by `check`, for hosts that are not in this process image.
    ///
    /// - Parameters:
    ///   - log: Receives what the worker logs.
    ///   - clock: The clock to wait on.
    ///   - folder: Where relative paths start; the current folder of the process by default.
    ///   - identity: Which run it is, if that is known.
    ///   - check: Returns the target to use; throws when it is not granted.
    public init(
        log: WorkerLogger, clock: any Clock<Duration>, folder: String? = nil,
        identity: WorkerIdentity? = nil,
        check: @escaping @Sendable (Access) throws(WorkerError) -> String
    ) {
        self.log = log
        self.clock = clock
        self.folder = folder ?? FilePath.currentFolder
        self.identity = identity
        self.check = check
    }

    /// A context for a host, or for tests of a worker by itself.
    public init(
        log: WorkerLogger = .silent, clock: any Clock<Duration> = ContinuousClock(),
        grants: Grants = Grants(), identity: WorkerIdentity? = nil
    ) {
        self.init(log: log, clock: clock, folder: grants.folder, identity: identity) {
            access throws(WorkerError) in try grants.check(access)
        }
    }

    /// Makes sure that the user granted `access`, such as the host of a redirect.
    ///
    /// - Returns: The target to use: of a file or a program's path the absolute path without links,
    ///   otherwise the target as it is compared.
    /// - Throws: A ``WorkerError`` that names the option that would grant it.
    @discardableResult
    public func require(_ access: Access) throws(WorkerError) -> String { try check(access) }

    /// Waits on the clock of the session.
    ///
    /// - Throws: `CancellationError` when the run is to stop.
    public func sleep(for duration: Duration) async throws {
        try await clock.sleep(for: duration)
    }

    /// Waits on the clock of the session, and says that the run does nothing until then.
    ///
    /// A host may close a session whose workers all rest, and open it again when the first of them is due. The run then
    /// begins anew, and finds by ``WorkerResumption`` how much of the time is over.
    ///
    /// - Throws: `CancellationError` when the run is to stop.
    public func rest(for duration: Duration) async throws {
        let running = RunningWorker.current
        running?.onRest(duration)
        defer { running?.onRest(nil) }
        try await clock.sleep(for: duration)
    }
}
