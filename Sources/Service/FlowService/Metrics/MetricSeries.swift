import CoreMetrics
import Synchronization

/// The numbers of one series. Any thread may change them.
final class MetricSeries: CounterHandler, RecorderHandler, TimerHandler, MeterHandler, Sendable {
    struct Numbers: Sendable {
        var count = 0
        var value = 0.0
        /// The observations of each bucket; the last is above all bounds.
        var buckets: [Int] = []
    }

    private let bounds: [Double]
    private let state: Mutex<Numbers>

    init(_ kind: MetricFamily.Kind) {
        if case .histogram(let bounds) = kind { self.bounds = bounds } else { bounds = [] }
        state = Mutex(
            Numbers(buckets: bounds.isEmpty ? [] : Array(repeating: 0, count: bounds.count + 1)))
    }

    var numbers: Numbers { state.withLock { $0 } }

    // MARK: Counters

    func increment(by amount: Int64) { state.withLock { $0.value += Double(amount) } }

    func reset() { state.withLock { $0.value = 0 } }

    // MARK: Gauges

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { state.withLock { $0.value = value } }

    func increment(by amount: Double) { state.withLock { $0.value += amount } }

    func decrement(by amount: Double) { state.withLock { $0.value -= amount } }

    // MARK: Histograms

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { numbers in
            assert(numbers.buckets.isEmpty || numbers.buckets.count == bounds.count + 1)
            numbers.count += 1
            numbers.value += value
            if !numbers.buckets.isEmpty { numbers.buckets[bucket] += 1 }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
