/// A moment in the past: an input, and one of the lines that ran for it.
package struct Moment: Hashable, Comparable, Sendable {
    package var input: Int
    package var line: Int

    package init(input: Int, line: Int) {
        self.input = input
        self.line = line
    }

    package static func < (a: Moment, b: Moment) -> Bool { (a.input, a.line) < (b.input, b.line) }
}
