/// A place in a source file: line and column, both from 1; the column counts bytes, as Lua does.
struct SourcePlace: Hashable, Comparable, Sendable {
    var line: Int
    var column: Int

    static func < (a: SourcePlace, b: SourcePlace) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}
