/// A metric with all its series.
struct MetricFamily: Sendable {
    enum Kind: Sendable {
        case counter
        case gauge
        /// - Parameter bounds: The upper bounds of its buckets, ascending.
        case histogram(_ bounds: [Double])
    }

    let name: String
    let help: String
    let kind: Kind

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

extension MetricFamily {
    /// Bucket bounds for the time of a request, in seconds.
    private static let seconds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
    ]
    private static let changes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256]

    static let requests = MetricFamily(
        "workflow_requests_total", .counter,
        "Requests that were answered, by route, method and class of status.")
    static let requestSeconds = MetricFamily(
        "workflow_request_duration_seconds", .histogram(seconds),
        "The time until a request had its answer, by route; streams are left out.")
    static let refusals = MetricFamily(
        "workflow_refused_requests_total", .counter,
        "Requests that were refused because there were too many or too large ones, by reason.")
    static let inputs = MetricFamily(
        "workflow_inputs_total", .counter,
        "Inputs that sessions took: actions, props and outputs of workers, by flow.")
    static let commitChanges = MetricFamily(
        "workflow_commit_changes", .histogram(changes),
        "The changes of sessions that a commit kept together.")
    static let openSessions = MetricFamily(
        "workflow_open_sessions", .gauge, "Sessions that are open.")
    static let streams = MetricFamily(
        "workflow_open_streams", .gauge, "Streams of events that are open.")
    static let bodies = MetricFamily(
        "workflow_request_body_bytes", .gauge, "Bytes of bodies that are at hand.")
    static let processes = MetricFamily(
        "workflow_script_processes", .gauge,
        "Sessions that have a process for their isolated scripts.")
    static let busyProcesses = MetricFamily(
        "workflow_script_processes_at_work", .gauge,
        "Sessions whose isolated scripts run now.")
    static let processWaits = MetricFamily(
        "workflow_script_process_waits_total", .counter,
        "How often a session had to wait because all processes were at work.")
    static let processHandovers = MetricFamily(
        "workflow_script_process_handovers_total", .counter,
        "How often a session gave up its process for another one.")
    static let processDeaths = MetricFamily(
        "workflow_script_process_deaths_total", .counter,
        "Processes of scripts that have ended by themselves, or did not come back.")
    static let beats = MetricFamily(
        "workflow_heartbeats_total", .counter, "Heartbeats that were written to the store.")
    static let failedBeats = MetricFamily(
        "workflow_failed_heartbeats_total", .counter,
        "Heartbeats that could not be written to the store.")
    static let takenSessions = MetricFamily(
        "workflow_taken_sessions_total", .counter,
        "Sessions with workers that were taken over from another service, or when this one began.")
    static let losses = MetricFamily(
        "workflow_lost_ownerships_total", .counter,
        "How often another service took over the sessions of this one, which did not beat in time.")
    static let stuckCalls = MetricFamily(
        "workflow_stuck_calls", .gauge,
        "Calls into flows that do not end. Each keeps a thread busy until the service ends.")
    static let memory = MetricFamily(
        "process_resident_memory_bytes", .gauge, "Resident memory size in bytes.")

    static let all = [
        requests, requestSeconds, refusals, inputs, commitChanges, openSessions, streams, bodies,
        processes, busyProcesses, processWaits, processHandovers, processDeaths, beats,
        failedBeats, takenSessions, losses, stuckCalls, memory,
    ]
}
