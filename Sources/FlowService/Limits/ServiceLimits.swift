/// The most that a service does and keeps for its clients.
public struct ServiceLimits: Sendable {
    /// The bytes of a request's body.
    public var body = 1 << 20
    /// The bytes of all headers of a request.
    public var headers = 16 << 10
    /// The connections at a time; those after them are refused.
    public var connections = 10_000
    /// The seconds after which a connection without a request is closed.
    public var idleSeconds = 60
    /// The seconds in which the body of a request has to come.
    public var bodySeconds = 30
    /// The bytes of all bodies that are at hand at a time.
    public var bodies = 64 << 20
    /// The requests of a principal in a second; as many may come at once.
    public var rate = 1000
    /// The requests for one session at a time, of which all but one wait; those after them are refused.
    public var queue = 256
    /// The time for which a request waits for a process, where flows are isolated; it is refused then.
    public var processWait = Duration.seconds(10)
    /// The bytes of memory from which on nothing is changed until they are fewer again; reads go on. No limit unless given.
    public var hostMemory: Int?
    /// The streams of events at a time.
    public var streams = 4096
    /// The sessions that stay in memory when nobody uses them; those beyond are closed, and opened again when asked for.
    public var openSessions = 1000
    /// The sessions that are inspected at a time: each takes a copy in memory, and as many again as it has forks.
    public var inspections = 8
    /// The latest steps of a session that its copy has; the copy is made anew when they have become twice as many.
    public var inspectedSteps = 20_000
    /// The bytes of their inputs.
    public var inspectedBytes = 16 << 20
    /// The time for which a session is kept at hand after the last page that inspects it was closed.
    public var inspectionLinger = Duration.seconds(10)
    /// The seconds between two signs of life of a stream.
    public var heartbeatSeconds = 15
    /// The time for which a service that is to end is not ready and goes on all the same, so that balancers notice.
    public var drainDelay = Duration.zero
    /// The time that requests have to end when the service does.
    public var drainTime = Duration.seconds(10)

    /// Limits with the defaults above.
    public init() {}
}
