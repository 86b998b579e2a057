import PlainValue

extension LuaParser {
    private static let binary: Set<String> = [
        "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or",
        "&", "|", "~", "<<", ">>",
    ]
    /// The operators that test whether an operand is `nil`.
    private static let tests: Set<String> = ["and", "or", "==", "~="]
    /// Longer chains of fields and calls become opaque, so that no tree is deep.
    private static let longestChain = 64

    mutating func parseExpressions() throws(UnreadableSource) -> [LuaChoice.Operand] {
        var expressions: [LuaChoice.Operand] = []
        repeat {
            let start = token.place
            let value = try parseExpression()
            expressions.append(.init(value: value, range: start..<lastEnd))
        } while accept(",")
        return expressions
    }

    mutating func parseExpression() throws(UnreadableSource) -> LuaExpression {
        try nested { parser throws(UnreadableSource) in
            // Of all binary operators, `and` and `or` bind weakest.
            var parts: [[LuaChoice.Operand]] = [[]]
            var start = parser.token.place
            var value = try parser.parseOperand()
            var left = value
            while case .symbol(let symbol) = parser.token.kind, Self.binary.contains(symbol) {
                let isChoice = symbol == "and" || symbol == "or"
                if isChoice {
                    parts[parts.count - 1].append(
                        .init(value: value, range: start..<parser.lastEnd))
                    if symbol == "or" { parts.append([]) }
                }
                let place = parser.token.place
                parser.advance()
                if isChoice { start = parser.token.place }
                let operand = try parser.parseOperand()
                parser.source.operations.append(
                    .init(symbol: symbol, left: left, right: operand, place: place))
                left = operand
                // `table.unpack or unpack` only tests whether the name exists.
                if Self.tests.contains(symbol) { parser.recordTest(of: operand) }
                value = isChoice ? operand : .opaque
            }
            guard parts.contains(where: { !$0.isEmpty }) else { return value }
            parts[parts.count - 1].append(.init(value: value, range: start..<parser.lastEnd))
            parser.source.branches += LuaSource.Branch.all(in: parts)
            return .choice(LuaChoice(parts: parts))
        }
    }

    private mutating func parseOperand() throws(UnreadableSource) -> LuaExpression {
        var signs: [String] = []
        let start = token.place
        while case .symbol(let symbol) = token.kind, ["not", "-", "#", "~"].contains(symbol) {
            signs.append(symbol)
            advance()
        }
        let operand = try parseSimple()
        if signs.isEmpty { return operand }
        if signs[0] == "not", ["==", "~=", "<", "<=", ">", ">="].contains(where: { at($0) }),
            !["not", "true", "false"].contains(where: { next.kind == .symbol($0) })
        {
            source.negations.append(start)
        }
        if signs.last == "not" { recordTest(of: operand) }
        if let sign = signs.last {
            source.operations.append(.init(symbol: sign, left: nil, right: operand, place: start))
        }
        if signs == ["-"], case .constant(let value) = operand {
            switch value {
            case .int(let int): return .constant(.int(-int))
            case .double(let double): return .constant(.double(-double))
            default: break
            }
        }
        return .opaque
    }

    private mutating func parseSimple() throws(UnreadableSource) -> LuaExpression {
        switch token.kind {
        case .literal(let value):
            advance()
            return value.map { .constant($0) } ?? .opaque
        case .symbol("nil"):
            advance()
            return .constant(.null)
        case .symbol("true"), .symbol("false"):
            defer { advance() }
            return .constant(.bool(at("true")))
        case .symbol("..."):
            advance()
            return .opaque
        case .symbol("{"): return .table(try parseTable())
        case .symbol("function"):
            advance()
            return .function(try parseFunction())
        default:
            let expression = try parseSuffixed()
            recordRead(expression)
            return expression
        }
    }

    /// A name or a parenthesized expression, with the fields and calls that follow it. The caller
    /// records whether its last name is read or written.
    mutating func parseSuffixed() throws(UnreadableSource) -> LuaExpression {
        let start = token.place
        var expression: LuaExpression
        var length = 0
        if accept("(") {
            expression = try parseExpression()
            try require(")")
            // Parentheses cut a call to one value, and cannot be assigned to.
            switch expression {
            case .call, .choice, .constant: break
            default: expression = .opaque
            }
        } else {
            let (name, place) = try requireName()
            expression = reference(to: name, place)
        }
        while true {
            length += 1
            if length > Self.longestChain { expression = .opaque }
            switch token.kind {
            case .symbol("."):
                recordRead(expression)
                advance()
                let (name, place) = try requireName()
                expression = .field(expression, name, place)
            case .symbol("["):
                recordRead(expression)
                advance()
                let place = token.place
                let key = try parseExpression()
                try require("]")
                if key.text == nil {
                    source.operations.append(
                        .init(symbol: "[]", left: expression, right: key, place: place))
                }
                let base = expression
                expression =
                    key.text.map { .field(base, $0, place) } ?? .element(base, key: key, place)
            case .symbol(":"):
                recordRead(expression)
                advance()
                let (name, place) = try requireName()
                expression = try parseCall(of: expression, method: name, at: place)
            case .symbol("("), .symbol("{"), .literal:
                if case .literal(let value) = token.kind, let value, value.string == nil {
                    return expression
                }
                recordRead(expression)
                expression = try parseCall(of: expression, method: nil, at: start)
            default: return expression
            }
        }
    }

    private mutating func parseCall(
        of callee: LuaExpression, method: String?, at place: SourcePlace
    ) throws(UnreadableSource) -> LuaExpression {
        var arguments: [LuaExpression] = []
        var places: [SourcePlace] = []
        if accept("(") {
            if !at(")") {
                repeat {
                    places.append(token.place)
                    arguments.append(try parseExpression())
                } while accept(",")
            }
            try require(")")
        } else {
            guard at("{") || { if case .literal = token.kind { true } else { false } }() else {
                throw UnreadableSource()
            }
            places.append(token.place)
            arguments.append(
                try nested { parser throws(UnreadableSource) in try parser.parseSimple() })
        }
        let call = LuaCallExpression(
            callee: callee, method: method, arguments: arguments, places: places, place: place,
            end: lastEnd, function: function)
        source.calls.append(call)
        return .call(call)
    }

    private mutating func parseTable() throws(UnreadableSource) -> LuaTable {
        let start = token.place
        try require("{")
        var fields: [LuaTable.Field] = []
        while !at("}") {
            let place = token.place
            let key: LuaTable.Field.Key
            if accept("[") {
                key = try parseExpression().text.map { .name($0) } ?? .computed
                try require("]")
                try require("=")
            } else if case .name(let name) = token.kind, next.kind == .symbol("=") {
                key = .name(name)
                advance()
                advance()
            } else {
                key = .position
            }
            let start = token.place
            let value = try parseExpression()
            fields.append(.init(key: key, value: value, place: place, valueRange: start..<lastEnd))
            if !accept(","), !accept(";") { break }
        }
        try require("}")
        let table = LuaTable(place: start, fields: fields)
        source.tables.append(table)
        return table
    }

    // MARK: Names

    func reference(to name: String, _ place: SourcePlace) -> LuaExpression {
        resolve(name).map { .variable($0, place) } ?? .global(name, place)
    }

    mutating func recordRead(_ expression: LuaExpression) {
        switch expression {
        case .variable(let variable, let place): variable.reads.append((place, function))
        case .global(let name, let place):
            if name == "_ENV" { source.usesEnvironment = true }
            source.globals.append(.init(name: name, place: place, kind: useKind))
        case .field(let base, let name, let place):
            source.fields.append(.init(base: base, name: name, place: place, kind: useKind))
        default: break
        }
    }

    mutating func recordWrite(
        _ target: LuaExpression, _ value: LuaExpression, at range: Range<SourcePlace>
    ) {
        switch target {
        case .variable(let variable, let place):
            variable.assignments.append(
                .init(value: value, place: place, valueRange: range, function: function))
        case .global(let name, let place):
            source.globals.append(.init(name: name, place: place, kind: .written(value)))
        case .field(let base, let name, let place):
            source.fields.append(
                .init(
                    base: base, name: name, place: place, kind: .written(value), valueRange: range))
        case .element(let base, let key, let place):
            source.elementWrites.append((base, key, value, place))
        default: break
        }
    }

    /// Records that the last recorded read is only a test.
    private mutating func recordTest(of expression: LuaExpression) {
        switch expression {
        case .global:
            let use = source.globals.removeLast()
            source.globals.append(.init(name: use.name, place: use.place, kind: .tested))
        case .field:
            let use = source.fields.removeLast()
            source.fields.append(
                .init(base: use.base, name: use.name, place: use.place, kind: .tested))
        default: break
        }
    }

    /// The kind of use of the name before the current token, found from the token alone.
    private var useKind: LuaSource.UseKind {
        at("then") || Self.tests.contains { at($0) } ? .tested : .read
    }
}
