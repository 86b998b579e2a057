/// How much of what a session tells a reader has: all of a step, and so many outputs of the next one.
///
/// It is the id of an event, which a reader that comes back says in `Last-Event-ID`: `STEP.OUTPUTS.VERSION`. Readers may say the
/// step alone, or step and outputs.
struct EventPlace: Sendable, Equatable, CustomStringConvertible {
    var step: Int
    var outputCount = 0
    /// The version of the session that the reader was told of; `nil` if it does not say.
    var version: Int?

    var description: String { "\(step).\(outputCount)" + (version.map { ".\($0)" } ?? "") }

    init(step: Int, outputCount: Int = 0, version: Int? = nil) {
        self.step = step
        self.outputCount = outputCount
        self.version = version
    }

    /// The place that an id says; `nil` if it is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { 48...57 ~= $0 } ? Int(part) : nil
        }
        guard numbers.count == parts.count, (1...3).contains(numbers.count) else { return nil }
        self.init(
            step: numbers[0], outputCount: numbers.count > 1 ? numbers[1] : 0,
            version: numbers.count > 2 ? numbers[2] : nil)
    }

    /// Takes back what the reader has of steps that were given up since.
    ///
    /// - Parameter kept: The last step that was kept all the time.
    mutating func giveUp(after kept: Int) {
        guard kept <= step else { return }
        step = kept
        outputCount = 0
    }
}
