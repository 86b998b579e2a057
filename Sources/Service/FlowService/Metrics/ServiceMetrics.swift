import CoreMetrics

/// The metrics of the service. Labels have few values: route templates, flow names, codes; never a
/// session or principal.
struct ServiceMetrics: Sendable {
    private let metrics = PrometheusMetrics(MetricFamily.all)

    var text: String { metrics.text }

    /// Counts an answered request: `route` is `nil` for an unknown path, `time` for a stream.
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

    /// - Parameter reason: The code of the problem.
    func refusal(_ reason: String) {
        Counter(
            label: MetricFamily.refusals.name, dimensions: [("reason", reason)], factory: metrics
        ).increment()
    }

    func inputs(of flow: String) -> Counter {
        Counter(label: MetricFamily.inputs.name, dimensions: [("flow", flow)], factory: metrics)
    }

    /// - Parameter changes: The number of session changes in it.
    func commit(changes: Int) {
        Recorder(label: MetricFamily.commitChanges.name, factory: metrics).record(changes)
    }

    func set(_ family: MetricFamily, to value: Int) {
        Meter(label: family.name, factory: metrics).set(value)
    }
}
