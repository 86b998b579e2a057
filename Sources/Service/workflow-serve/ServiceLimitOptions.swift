import ArgumentParser
import FlowService
import WorkflowCommand

struct ServiceLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Requests of one principal in a second.", valueName: "n"))
    var maxRate = ServiceLimits().rate

    @Option(help: ArgumentHelp("Connections at a time.", valueName: "n"))
    var maxConnections = ServiceLimits().connections

    @Option(help: ArgumentHelp("Streams of events at a time.", valueName: "n"))
    var maxStreams = ServiceLimits().streams

    @Option(help: ArgumentHelp("Sessions that stay open.", valueName: "n"))
    var maxSessions = ServiceLimits().openSessions

    @Option(help: ArgumentHelp("Requests for one session at a time.", valueName: "n"))
    var maxQueue = ServiceLimits().queue

    @Option(help: ArgumentHelp("Kilobytes of a request's body.", valueName: "kb"))
    var maxBody = ServiceLimits().body >> 10

    @Option(
        help: ArgumentHelp(
            "Change nothing while the program has more megabytes of memory.", valueName: "mb"))
    var maxHostMemory: Int?

    @Option(
        help: ArgumentHelp(
            "Seconds after which a connection that does nothing is closed.", valueName: "s"))
    var idle = Int(ServiceLimits().idleTime.components.seconds)

    @Option(
        help: ArgumentHelp(
            "At the end, seconds to be not ready and go on, for balancers.", valueName: "s"))
    var drainDelay = 0.0

    func validate() throws {
        for (name, value) in [
            ("max-rate", maxRate), ("max-connections", maxConnections),
            ("max-streams", maxStreams), ("max-sessions", maxSessions), ("max-queue", maxQueue),
            ("max-body", maxBody), ("max-host-memory", maxHostMemory ?? 1), ("idle", idle),
        ] {
            try check(
                (1...100_000_000).contains(value),
                "--\(name) takes a number from 1 to 100000000.")
        }
        try check(
            (0...3600).contains(drainDelay), "--drain-delay takes seconds from 0 to 3600.")
    }

    var limits: ServiceLimits {
        var limits = ServiceLimits()
        limits.rate = maxRate
        limits.connections = maxConnections
        limits.streams = maxStreams
        limits.openSessions = maxSessions
        limits.queue = maxQueue
        limits.body = maxBody << 10
        limits.hostMemory = maxHostMemory.map { $0 << 20 }
        limits.idleTime = .seconds(idle)
        limits.drainDelay = .milliseconds(Int(drainDelay * 1000))
        return limits
    }
}
