/// A place in what has been: an input, and a line among those that it led to.
package struct Moment: Hashable, Comparable, Sendable {
    package var input: Int
    package var line: Int

    package init(input: Int, line: Int) {
        self.input = input
        self.line = line
    }

    package static func < (a: Moment, b: Moment) -> Bool { (a.input, a.line) < (b.input, b.line) }
}
