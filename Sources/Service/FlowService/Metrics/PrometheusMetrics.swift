import CoreMetrics
import Synchronization

/// Keeps metrics and writes them in the text format of Prometheus. Unknown families get the
/// requested kind and no help text.
final class PrometheusMetrics: MetricsFactory {
    private struct Key: Hashable {
        let name: String
        /// The text between the braces.
        let labels: String
    }

    private let families: [String: MetricFamily]
    private let order: [MetricFamily]
    private let series = Mutex<[Key: MetricSeries]>([:])

    init(_ families: [MetricFamily]) {
        order = families
        self.families = Dictionary(families.map { ($0.name, $0) }) { first, _ in first }
        assert(self.families.count == order.count, "two families have one name")
    }

    // MARK: Asked by swift-metrics

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        series(label, dimensions, .gauge)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .gauge)
    }

    // There are few handlers, so none is destroyed.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private func series(
        _ name: String, _ labels: [(String, String)], _ kind: MetricFamily.Kind
    ) -> MetricSeries {
        let key = Key(name: name, labels: Self.text(of: labels))
        return series.withLock { series in
            if let known = series[key] { return known }
            let made = MetricSeries(families[name]?.kind ?? kind)
            series[key] = made
            return made
        }
    }

    // MARK: Text

    var text: String {
        let all = series.withLock { $0 }
        let byName = Dictionary(grouping: all) { $0.key.name }
        var text = ""
        for family in order {
            guard let members = byName[family.name] else { continue }
            text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.type)\n"
            for (key, series) in members.sorted(by: { $0.key.labels < $1.key.labels }) {
                text += Self.lines(family, key.labels, series.numbers)
            }
        }
        return text
    }

    private static func lines(
        _ family: MetricFamily, _ labels: String, _ numbers: MetricSeries.Numbers
    ) -> String {
        let name = family.name
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        guard case .histogram(let bounds) = family.kind else {
            return "\(name)\(braces) \(text(of: numbers.value))\n"
        }
        var lines = ""
        var sum = 0
        for (bound, count) in zip(bounds.map(text) + ["+Inf"], numbers.buckets) {
            sum += count
            let comma = labels.isEmpty ? "" : ","
            lines += "\(name)_bucket{\(labels)\(comma)le=\"\(bound)\"} \(sum)\n"
        }
        return lines + "\(name)_sum\(braces) \(text(of: numbers.value))\n"
            + "\(name)_count\(braces) \(numbers.count)\n"
    }

    private static func text(of number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }

    private static func text(of labels: [(String, String)]) -> String {
        labels.map { name, value in "\(name)=\"\(escaped(value))\"" }.joined(separator: ",")
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { "\\\"\n".utf8.contains($0) }) else { return value }
        return value.reduce(into: "") { text, letter in
            switch letter {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n", "\r\n": text += "\\n"
            default: text.append(letter)
            }
        }
    }
}

extension MetricFamily {
    fileprivate var type: String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
