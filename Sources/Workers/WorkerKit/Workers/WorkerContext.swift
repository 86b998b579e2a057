public import Timers

/// The context that a running worker gets from its host.
///
/// ```swift
/// // The path without links, which is the one that was granted.
/// let path = try context.require(.fileRead(input.path))
/// guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
///     throw WorkerError("unreadable", "\(input.path) cannot be read")
/// }
/// ```
public struct WorkerContext: Sendable {
    /// Writes to the log of the session.
    public let log: WorkerLogger

    /// The clock of the session. Sleeping on it takes no time in tests.
    public let clock: any Clock<Duration>

    /// The absolute path of the folder for relative paths.
    public let folder: String

    /// The identity of the run; `nil` outside of a session, and in a library of an older host.
    public let identity: WorkerIdentity?

    private let check: @Sendable (Access) throws(WorkerError) -> String

    /// Makes a context that checks access with `check`, for hosts outside this process image.
    ///
    /// - Parameters:
    ///   - folder: The folder for relative paths; the current folder of the process by default.
    ///   - check: Returns the target to use; throws if access is not granted.
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

    /// Makes a context for a host, or for testing a worker alone. Nothing is granted by default.
    ///
    /// ```swift
    /// let context = WorkerContext(grants: Grants([Grant("file.read", "notes")], folder: "/srv"))
    /// ```
    ///
    /// - Parameters:
    ///   - log: Receives the log lines of the worker; dropped by default.
    ///   - clock: The clock to sleep on; a virtual one in tests.
    ///   - grants: The granted access, none by default, and the folder for relative paths.
    ///   - identity: The identity of the run; `nil` if there is no session.
    public init(
        log: WorkerLogger = .silent, clock: any Clock<Duration> = TimerClock(),
        grants: Grants = Grants(), identity: WorkerIdentity? = nil
    ) {
        self.init(log: log, clock: clock, folder: grants.folder, identity: identity) {
            access throws(WorkerError) in try grants.check(access)
        }
    }

    /// Checks that the user granted `access`, such as the host of a redirect.
    ///
    /// - Returns: The target to use, as from ``Grants/check(_:)``.
    /// - Throws: A ``WorkerError`` that names the option that would grant it.
    @discardableResult
    public func require(_ access: Access) throws(WorkerError) -> String { try check(access) }

    /// Sleeps on the clock of the session.
    ///
    /// ```swift
    /// try await context.sleep(for: .seconds(2))
    /// ```
    ///
    /// - Throws: `CancellationError` when the run is to stop.
    public func sleep(for duration: Duration) async throws {
        try await clock.sleep(for: duration)
    }

    /// Sleeps on the clock of the session, and declares that the run does nothing until then.
    ///
    /// A host may close a session whose workers all rest, and reopen it when the first of them is
    /// due.
    ///
    /// ```swift
    /// let passed = WorkerResumption.current.map { $0.ran + $0.paused } ?? .zero
    /// try await context.rest(for: .seconds(86_400) - passed)
    /// ```
    ///
    /// - Important: The run then starts again; ``WorkerResumption`` has the time that has passed.
    /// - Throws: `CancellationError` when the run is to stop.
    public func rest(for duration: Duration) async throws {
        let running = RunningWorker.current
        running?.onRest(duration)
        defer { running?.onRest(nil) }
        try await clock.sleep(for: duration)
    }
}
