import LuaSyntax
import Terminal

/// A place in a source text that writes a field of a given name, and the conditions under which it runs.
package struct FieldWriting: Sendable {
    /// A condition that surrounds the place.
    package struct Condition: Sendable, Hashable {
        /// The line where it begins.
        package let line: Int
        package let text: String
        /// The truth value that the place needs.
        package let isWanted: Bool
    }

    /// A `return` before the place, in a function around it.
    package struct Exit: Sendable, Hashable {
        package let line: Int
        /// The conditions, outermost first.
        package let conditions: [Condition]
    }

    package let line: Int
    /// The conditions, outermost first.
    package let conditions: [Condition]
    /// In the order of the text.
    package let exits: [Exit]

    /// A line of a text without leading and trailing white space.
    package static func line(_ number: Int, of text: [UInt8]) -> String {
        SourceLines(text).rest(from: SourcePlace(line: number, column: 1))
    }

    /// The places that write fields of a name; none if the text cannot be parsed.
    package static func all(of name: String, in text: [UInt8]) -> [FieldWriting] {
        guard let source = try? LuaSource(text) else { return [] }
        var places: [(place: SourcePlace, value: SourcePlace)] = []
        for table in source.tables {
            for field in table.fields {
                if case .name(name) = field.key { places.append((field.place, field.valuePlace)) }
            }
        }
        for field in source.fields where field.name == name {
            if case .written = field.kind { places.append((field.place, field.place)) }
        }
        let lines = SourceLines(text)
        return places.sorted { $0.place < $1.place }.map { place, value in
            var conditions = source.conditions(around: place, lines)
            // `a and b` is `b` only if `a` holds.
            if let guarding = lines.rest(from: value).guardingOperand {
                conditions.append(Condition(line: value.line, text: guarding, isWanted: true))
            }
            let exits = source.exits.filter { exit in
                exit.place < place && exit.function.end.map { place < $0 } ?? false
            }
            return FieldWriting(
                line: place.line, conditions: conditions,
                exits: exits.map { exit in
                    Exit(
                        line: exit.place.line,
                        conditions: source.conditions(around: exit.place, lines))
                })
        }
    }
}

extension LuaSource {
    /// The conditions under which a place runs, outermost first.
    fileprivate func conditions(
        around place: SourcePlace, _ lines: SourceLines
    ) -> [FieldWriting.Condition] {
        branches.filter { $0.body.contains(place) }
            .sorted { $0.body.lowerBound < $1.body.lowerBound }
            .flatMap { branch in
                branch.conditions.map { condition in
                    FieldWriting.Condition(
                        line: condition.range.lowerBound.line,
                        text: lines.text(of: condition.range), isWanted: condition.isWanted)
                }
            }
    }
}

/// The lines of a source text.
private struct SourceLines {
    private let lines: [ArraySlice<UInt8>]

    init(_ text: [UInt8]) { lines = text.split(separator: 0x0A, omittingEmptySubsequences: false) }

    func text(of range: Range<SourcePlace>) -> String {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard start.line < end.line else { return line(start, to: end.column - 1) }
        let middle = (start.line + 1..<end.line).map { line(SourcePlace(line: $0, column: 1)) }
        let all =
            [line(start)] + middle + [
                line(SourcePlace(line: end.line, column: 1), to: end.column - 1)
            ]
        return all.joined(separator: " ")
    }

    func rest(from place: SourcePlace) -> String { line(place) }

    private func line(_ start: SourcePlace, to end: Int = .max) -> String {
        let bytes = Array(lines[start.line - 1].prefix(end).dropFirst(start.column - 1))
        return String(decoding: bytes, as: UTF8.self).trimmed
    }
}

extension String {
    /// The operand before the first `and` of a value, without a leading `=`.
    fileprivate var guardingOperand: String? {
        guard let place = ranges(of: " and ").first else { return nil }
        let before = self[..<place.lowerBound]
        let value = before.ranges(of: " = ").first.map { before[$0.upperBound...] } ?? before
        let depth = value.reduce(0) { $0 + ("({[".contains($1) ? 1 : ")}]".contains($1) ? -1 : 0) }
        return depth == 0 ? String(value).trimmed : nil
    }
}
