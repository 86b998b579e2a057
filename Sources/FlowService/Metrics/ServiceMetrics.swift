import CoreMetrics
import HTTPServing

/// What the service counts.
///
/// Labels have few values each: routes as templates, names of flows, codes. None is of a session or of who asks.
struct ServiceMetrics: Sendable {
    private let metrics = PrometheusMetrics(MetricFamily.all)

    /// All as text for Prometheus.
    var text: String { metrics.text }

    /// Counts a request that was answered.
    ///
    /// - Parameters:
    ///   - route: The template of its path; `nil` if there is nothing at its path.
    ///   - time: The time that it took; `nil` for a stream.
    func request(route: String?, method: String, status: Int, time: Duration?) {
        let route = route ?? "other"
        Counter(
            label: MetricFamily.requests.name,
            dimensions: [("route", route), ("method", method), ("status", "\(status / 100)xx")],
            factory: metrics
        ).increment()
        guard let time else { return }
        let parts = time.components
        Timer(
            label: MetricFamily.requestSeconds.name, dimensions: [("route", route)],
            factory: metrics
        ).recordNanoseconds(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
    }

    /// Counts a request that was refused.
    ///
    /// - Parameter reason: The code of the problem.
    func refusal(_ reason: String) {
        Counter(
            label: MetricFamily.refusals.name, dimensions: [("reason", reason)], factory: metrics
        ).increment()
    }

    /// Counts the inputs that sessions of a flow take.
    func inputs(of flow: String) -> Counter {
        Counter(label: MetricFamily.inputs.name, dimensions: [("flow", flow)], factory: metrics)
    }

    /// Counts a commit.
    ///
    /// - Parameter changes: How many changes of sessions it has.
    func commit(changes: Int) {
        Recorder(label: MetricFamily.commitChanges.name, factory: metrics).record(changes)
    }

    /// Sets a number that goes up and down.
    func set(_ family: MetricFamily, to value: Int) {
        Meter(label: family.name, factory: metrics).set(value)
    }
}
