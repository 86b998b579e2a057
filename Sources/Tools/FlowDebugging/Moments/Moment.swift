/// A moment in the past: an input, and one of the lines that ran for it.
struct Moment: Hashable, Comparable, Sendable {
    var input: Int
    var line: Int

    static func < (a: Moment, b: Moment) -> Bool { (a.input, a.line) < (b.input, b.line) }
}
