import PlainValue

/// A reader's position: all of a step, and some outputs of the next one.
///
/// It is the id of an event, `STEP.OUTPUTS.VERSION`, which a returning reader sends in
/// `Last-Event-ID`. The version, and also the outputs, may be missing.
struct EventPlace: Sendable, Equatable, CustomStringConvertible {
    var step: Int
    var outputCount = 0
    var version: Int?

    var description: String { "\(step).\(outputCount)" + (version.map { ".\($0)" } ?? "") }

    init(step: Int, outputCount: Int = 0, version: Int? = nil) {
        self.step = step
        self.outputCount = outputCount
        self.version = version
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int(natural: $0) }
        guard numbers.count == parts.count, (1...3).contains(numbers.count) else { return nil }
        self.init(
            step: numbers[0], outputCount: numbers.count > 1 ? numbers[1] : 0,
            version: numbers.count > 2 ? numbers[2] : nil)
    }

    /// Moves back if steps after `kept`, the last one that was never dropped, were seen.
    mutating func giveUp(after kept: Int) {
        guard kept <= step else { return }
        step = kept
        outputCount = 0
    }
}
