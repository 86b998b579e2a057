import LuaSyntax
import PlainValue
import Terminal
import WorkflowLua

/// A place in a source text that writes a field of a given name, and what decides whether it does.
///
/// States, sinks, children and workers take tables with fields too, which are left out.
package struct FieldWriting: Sendable {
    /// A condition for something to run, or an operand of a value.
    package struct Condition: Sendable, Hashable {
        /// The line where it begins.
        package let line: Int
        package let text: String
        /// The truth value that is needed.
        package let isWanted: Bool
    }

    /// A `return`, a `break` or a `goto` before a place, which can skip it.
    package struct Exit: Sendable, Hashable {
        package let line: Int
        /// The effect of the line, such as `returned before`.
        package let action: String
        /// The conditions, outermost first.
        package let conditions: [Condition]
    }

    /// A place in a file, and what decides whether it runs.
    package struct Place: Sendable {
        package let file: String
        package let line: Int
        /// The line without leading and trailing white space.
        package let text: String
        /// The conditions around it, outermost first.
        package let conditions: [Condition]
        /// In the order of the text.
        package let exits: [Exit]
        /// The lines of the loops around it, outermost first.
        package let loops: [Int]
        /// The calls of the function around it.
        package let calls: [Place]
    }

    package let place: Place
    /// The line where the constructor of its table begins; `nil` for an assignment.
    package let constructor: Int?
    /// The operands of its value, all of which must hold, for each of the parts joined by `or`.
    package let operands: [[Condition]]
    /// The writings of the variable, or the returns of the function, that give its value.
    package let sources: [FieldWriting]

    package static func modules(in text: [UInt8]) -> [String] {
        (try? LuaSource(text))?.calls.compactMap(\.requiredModule) ?? []
    }

    /// The places in some files that write fields of a name; none in a text that cannot be parsed.
    package static func all(
        of name: String, in files: [(file: String, text: [UInt8])]
    ) -> [FieldWriting] {
        let texts = files.compactMap { SourceText(file: $0.file, $0.text) }
        return texts.flatMap { text in
            text.values(ofField: name).map { text.writing($0, among: texts, depth: 0) }
        }
    }
}

/// A parsed file.
private struct SourceText {
    /// The depth to which calls and variables are followed.
    static let deepest = 4
    /// The methods of a context, whose arguments are in no rendering.
    static let methods: Set<String> = ["sink", "render", "run"]
    /// The functions of a definition that make no rendering.
    static let others: Set<String> = ["state", "changed", "migrate", "access"]

    struct Written {
        let place: SourcePlace
        let operand: LuaChoice.Operand
        /// The constructor of its table.
        let constructor: SourcePlace?

        init(
            _ place: SourcePlace, _ value: LuaExpression, _ range: Range<SourcePlace>,
            in constructor: SourcePlace? = nil
        ) {
            self.place = place
            self.constructor = constructor
            operand = LuaChoice.Operand(value: value, range: range)
        }

        var value: LuaExpression { operand.value }
    }

    let file: String
    let source: LuaSource
    let lines: SourceLines
    /// The parts of the text that are in no rendering.
    let foreign: [Range<SourcePlace>]

    init?(file: String, _ text: [UInt8]) {
        guard let source = try? LuaSource(text) else { return nil }
        self.file = file
        self.source = source
        lines = SourceLines(text)
        let arguments = source.calls.compactMap { call in
            call.method.flatMap(Self.methods.contains) == true
                ? call.places.first.map { $0..<call.end } : nil
        }
        foreign = arguments + source.applied.compactMap(\.range)
    }

    // MARK: Fields

    func values(ofField name: String) -> [Written] {
        var found: [Written] = []
        for table in source.tables {
            for field in table.fields where field.name == name {
                found.append(Written(field.place, field.value, field.valueRange, in: table.place))
            }
        }
        for field in source.fields where field.name == name {
            guard let value = field.kind.written, let range = field.valueRange else { continue }
            found.append(Written(field.place, value, range))
        }
        return found.filter { written in
            written.value.function == nil && function(around: written.place) != nil
                && !foreign.contains { $0.contains(written.place) }
        }.sorted { $0.place < $1.place }
    }

    func writing(_ written: Written, among texts: [SourceText], depth: Int) -> FieldWriting {
        var sources: [FieldWriting] = []
        switch written.value {
        case .variable(let variable, _) where depth < Self.deepest:
            sources = values(of: variable).map { writing($0, among: texts, depth: depth + 1) }
        case .call(let call) where depth < Self.deepest:
            for text in texts {
                for result in text.returns(of: call).filter(\.value.canHold) {
                    sources.append(text.writing(result, among: texts, depth: depth + 1))
                }
            }
        default: break
        }
        return FieldWriting(
            place: place(written.place, among: texts, depth: 0),
            constructor: written.constructor?.line,
            operands: operands(of: written), sources: sources)
    }

    /// The values that the functions return that a call may call.
    private func returns(of call: LuaCallExpression) -> [Written] {
        source.functions.filter { source.isCall(call, of: $0) }.flatMap { function in
            function.returns.compactMap(\.first).map { Written($0.place, $0.value, $0.range) }
        }
    }

    private func values(of variable: LuaVariable) -> [Written] {
        var found = variable.assignments.map { Written($0.place, $0.value, $0.valueRange) }
        if let value = variable.initializer, let range = variable.initializerRange {
            found.insert(Written(variable.place, value, range), at: 0)
        }
        return found.filter { $0.value.canHold }
    }

    private func operands(of written: Written) -> [[FieldWriting.Condition]] {
        written.operand.parts.filter { $0.allSatisfy(\.value.canHold) }.map { part in
            part.filter(\.value.isAsked).map { condition($0.range) }
        }
    }

    // MARK: Places

    func place(_ place: SourcePlace, among texts: [SourceText], depth: Int) -> FieldWriting.Place {
        FieldWriting.Place(
            file: file, line: place.line,
            text: lines.rest(from: SourcePlace(line: place.line, column: 1)),
            conditions: conditions(around: place),
            exits: source.exits.filter { $0.place < place && $0.skipped.contains(place) }
                .sorted { $0.place < $1.place }
                .map { exit in
                    FieldWriting.Exit(
                        line: exit.place.line, action: exit.action,
                        conditions: conditions(around: exit.place, from: place))
                },
            loops: source.loops.filter { $0.body.contains(place) }.map(\.place.line).sorted(),
            calls: depth < Self.deepest ? calls(around: place, among: texts, depth: depth) : [])
    }

    /// The conditions under which a place runs, outermost first, without those of `other`, which
    /// runs too.
    private func conditions(
        around place: SourcePlace, from other: SourcePlace? = nil
    ) -> [FieldWriting.Condition] {
        source.branches.filter { branch in
            branch.body.contains(place) && other.map { !branch.body.contains($0) } ?? true
        }.sorted { $0.body.lowerBound < $1.body.lowerBound }.flatMap { branch in
            branch.conditions.map { condition($0.range, isWanted: $0.isWanted) }
        }
    }

    private func condition(
        _ range: Range<SourcePlace>, isWanted: Bool = true
    ) -> FieldWriting.Condition {
        FieldWriting.Condition(
            line: range.lowerBound.line, text: lines.text(of: range), isWanted: isWanted)
    }

    private func function(around place: SourcePlace) -> LuaFunction? {
        source.functions.first { $0.range?.contains(place) ?? false }
    }

    private func calls(
        around place: SourcePlace, among texts: [SourceText], depth: Int
    ) -> [FieldWriting.Place] {
        guard let function = function(around: place) else { return [] }
        return texts.flatMap { text in
            text.source.calls.filter { source.isCall($0, of: function) }.map {
                text.place($0.place, among: texts, depth: depth + 1)
            }
        }
    }
}

extension LuaSource {
    /// The functions of definitions that make no rendering.
    fileprivate var applied: [LuaFunction] {
        let written = fields.compactMap { use in use.kind.written.map { (use: use, value: $0) } }
        func functions(in value: LuaExpression) -> [LuaFunction] {
            switch value {
            case .function(let function): [function]
            case .table(let table): table.fields.flatMap { functions(in: $0.value) }
            case .variable(let variable, _):
                (variable.onlyValue.map(functions) ?? [])
                    + written.filter { $0.use.base.variable === variable }
                    .flatMap { functions(in: $0.value) }
            default: []
            }
        }
        func isForeign(_ name: String) -> Bool {
            name == "apply" || SourceText.others.contains(name)
        }
        let fields = tables.flatMap(\.fields).flatMap { field in
            field.name.map(isForeign) == true ? functions(in: field.value) : []
        }
        return fields
            + written.flatMap { use, value -> [LuaFunction] in
                if case .field(_, "apply", _) = use.base { return functions(in: value) }
                return isForeign(use.name) ? functions(in: value) : []
            }
    }

    /// True if a call, of this or another text, may call one of its functions.
    fileprivate func isCall(_ call: LuaCallExpression, of function: LuaFunction) -> Bool {
        if let method = call.method {
            return !SourceText.methods.contains(method) && names(of: function).contains(method)
        }
        return switch call.callee {
        case .variable(let variable, _): variable.onlyValue?.function === function
        case .field(_, let name, _): names(of: function).contains(name)
        default: false
        }
    }

    /// The names of the fields that hold a function.
    private func names(of function: LuaFunction) -> Set<String> {
        let given = tables.flatMap(\.fields).filter { $0.value.function === function }
        let written = fields.filter { $0.kind.written?.function === function }
        return Set(given.compactMap(\.name) + written.map(\.name))
    }
}

extension LuaSource.Exit {
    fileprivate var action: String {
        switch kind {
        case .return: "returned before"
        case .break: "left the loop before"
        case .goto: "went on behind it"
        }
    }
}

extension LuaChoice.Operand {
    /// The operands of its value, or itself: those joined by `and`, for each part joined by `or`.
    fileprivate var parts: [[LuaChoice.Operand]] {
        guard case .choice(let choice) = value else { return [[self]] }
        return choice.parts.flatMap { part -> [[LuaChoice.Operand]] in
            let inner = part.map(\.parts)
            // A part of parts that stands alone is one of several, one among others is a condition.
            if inner.count == 1 { return inner[0] }
            return [zip(part, inner).flatMap { $1.count == 1 ? $1[0] : [$0] }]
        }
    }
}

extension LuaExpression {
    /// False if this is `nil` or `false`.
    fileprivate var canHold: Bool { constant.map { $0 != .null && $0 != .bool(false) } ?? true }

    /// True if its value is not known from the text, and to ask for it does nothing.
    fileprivate var isAsked: Bool {
        switch self {
        case .constant, .function, .table: false
        case .call(let call): call.method.map { !SourceText.methods.contains($0) } ?? true
        default: true
        }
    }
}

private struct SourceLines {
    private let lines: [ArraySlice<UInt8>]

    init(_ text: [UInt8]) { lines = text.luaLines }

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
