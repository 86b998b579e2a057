/// The limits of a service.
public struct ServiceLimits: Sendable {
    /// The bytes of a request's body.
    public var body = 1 << 20
    /// The bytes of all headers of a request.
    public var headers = 16 << 10
    /// The connections at a time; further ones are refused.
    public var connections = 10_000
    /// The time after which a connection without a request is closed.
    public var idleTime = Duration.seconds(60)
    /// The time for the headers of a request to arrive, from its first byte.
    public var headerTime = Duration.seconds(5)
    /// The time for a request's body to arrive.
    public var bodyTime = Duration.seconds(30)
    /// The bytes of all bodies in memory at a time.
    public var bodies = 64 << 20
    /// The requests of a principal per second, which is also the burst.
    public var rate = 1000
    /// The requests for one session at a time, running or waiting; further ones are refused.
    public var queue = 256
    /// The time that a request waits for a process of an isolated flow before it is refused.
    public var processWait = Duration.seconds(10)
    /// The bytes of memory above which changes are refused; reads continue. `nil` for no limit.
    public var hostMemory: Int?
    /// The streams of events at a time.
    public var streams = 4096
    /// The unused sessions that stay in memory; others are closed, and opened again when needed.
    public var openSessions = 1000
    /// The inspected sessions at a time. Each needs a copy in memory, and one more for each fork.
    public var inspections = 8
    /// The latest steps of a session in its copy. The copy is made again when it has twice as many.
    public var inspectedSteps = 20_000
    /// The bytes of the inputs of these steps.
    public var inspectedBytes = 16 << 20
    /// The time that a copy stays open after its last page was closed.
    public var inspectionLinger = Duration.seconds(10)
    /// The time between heartbeats of a stream.
    public var heartbeatInterval = Duration.seconds(15)
    /// The time between not being ready and refusing connections, for load balancers.
    public var drainDelay = Duration.zero
    /// The time to end after `drainDelay`, of which requests have four fifths to finish.
    public var drainTime = Duration.seconds(10)

    /// The time that requests have to finish when the service ends.
    var requestTime: Duration { drainTime * 4 / 5 }

    /// Makes limits; each has a default.
    public init() {}
}
