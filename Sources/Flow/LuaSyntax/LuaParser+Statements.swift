import PlainValue

extension LuaParser {
    /// The statements up to the end of a block, in the open scope.
    mutating func parseBlock() throws(UnreadableSource) {
        try nested { parser throws(UnreadableSource) in
            while !parser.isAtBlockEnd {
                if parser.at("return") { return try parser.parseReturn() }
                try parser.parseStatement()
            }
        }
    }

    private var isAtBlockEnd: Bool {
        if token.kind == .end { return true }
        return ["end", "else", "elseif", "until"].contains { at($0) }
    }

    private mutating func parseScope() throws(UnreadableSource) {
        openScope()
        try parseBlock()
        closeScope()
    }

    private mutating func parseReturn() throws(UnreadableSource) {
        returns[returns.count - 1].append(token.place)
        advance()
        let values = isAtBlockEnd || at(";") ? [] : try parseExpressions()
        _ = accept(";")
        guard isAtBlockEnd else { throw UnreadableSource() }
        function.returns.append(values)
    }

    private mutating func parseStatement() throws(UnreadableSource) {
        guard case .symbol(let symbol) = token.kind else { return try parseExpressionStatement() }
        switch symbol {
        case ";": advance()
        case "break":
            if !breaks.isEmpty { breaks[breaks.count - 1].append(token.place) }
            advance()
        case "::":
            let place = token.place
            advance()
            let label = try requireName().name
            try require("::")
            let last = gotos.count - 1
            for jump in gotos[last] where jump.label == label {
                source.exits.append(.init(kind: .goto, skipped: jump.place..<place))
            }
            gotos[last].removeAll { $0.label == label }
        case "goto":
            let place = token.place
            advance()
            gotos[gotos.count - 1].append((try requireName().name, place))
        case "do":
            advance()
            try parseScope()
            try require("end")
        case "while":
            let start = token.place
            advance()
            let condition = try parseExpression()
            try require("do")
            try parseLoop(from: start) { parser throws(UnreadableSource) in
                try parser.parseScope()
            }
            noteEnd(of: condition, isWanted: false)
            try require("end")
        case "repeat": try parseRepeat()
        case "if": try parseIf()
        case "for": try parseFor()
        case "function": try parseFunctionStatement()
        case "local": try parseLocal()
        default: try parseExpressionStatement()
        }
    }

    /// The condition of a `repeat` sees the locals of its block.
    private mutating func parseRepeat() throws(UnreadableSource) {
        let start = token.place
        advance()
        openScope()
        try parseLoop(from: start) { parser throws(UnreadableSource) in try parser.parseBlock() }
        try require("until")
        noteEnd(of: try parseExpression(), isWanted: true)
        closeScope()
    }

    /// Marks the last loop as endless if its condition never ends it.
    private mutating func noteEnd(of condition: LuaExpression, isWanted: Bool) {
        if case .constant(.bool(let value)) = condition, value != isWanted {
            source.loops[source.loops.count - 1].isEndless = true
        }
    }

    private mutating func parseIf() throws(UnreadableSource) {
        var failed: [LuaSource.Branch.Condition] = []
        repeat {
            advance()
            let start = token.place
            _ = try parseExpression()
            let range = start..<lastEnd
            try require("then")
            try parseBranch(failed + [.init(range: range, isWanted: true)])
            failed.append(.init(range: range, isWanted: false))
        } while at("elseif")
        if accept("else") { try parseBranch(failed) }
        try require("end")
    }

    private mutating func parseBranch(
        _ conditions: [LuaSource.Branch.Condition]
    ) throws(UnreadableSource) {
        let start = token.place
        try parseScope()
        source.branches.append(.init(body: start..<token.place, conditions: conditions))
    }

    private mutating func parseLoop(
        from start: SourcePlace, _ parseBody: (inout Self) throws(UnreadableSource) -> Void
    ) throws(UnreadableSource) {
        let body = token.place
        breaks.append([])
        try parseBody(&self)
        source.exits += breaks.removeLast().map { .init(kind: .break, skipped: $0..<token.place) }
        source.loops.append(.init(place: start, body: body..<token.place))
    }

    private mutating func parseFor() throws(UnreadableSource) {
        let start = token.place
        advance()
        var names = [try requireName()]
        while accept(",") { names.append(try requireName()) }
        let isCounting = accept("=")
        guard isCounting || accept("in") else { throw UnreadableSource() }
        let values = try parseExpressions()
        if isCounting {
            source.operations += values.map {
                .init(symbol: "for", left: nil, right: $0.value, place: $0.place)
            }
        }
        if !isCounting, values.count == 1 {
            source.operations.append(
                .init(symbol: "in", left: nil, right: values[0].value, place: values[0].place))
        }
        try require("do")
        openScope()
        for (name, place) in names {
            let variable = declare(name, place)
            if case .call(let call)? = values.first?.value, case .global(let name, _) = call.callee,
                ["ipairs", "pairs"].contains(name)
            {
                variable.iterated = call.arguments.first
            }
        }
        try parseLoop(from: start) { parser throws(UnreadableSource) in try parser.parseBlock() }
        closeScope()
        try require("end")
    }

    private mutating func parseFunctionStatement() throws(UnreadableSource) {
        advance()
        let (name, place) = try requireName()
        var target = reference(to: name, place)
        var isMethod = false
        while !isMethod, at(".") || at(":") {
            isMethod = at(":")
            advance()
            let (field, place) = try requireName()
            recordRead(target)
            target = .field(target, field, place)
        }
        let start = token.place
        let body = try nested { parser throws(UnreadableSource) in
            try parser.parseFunction(hasSelf: isMethod)
        }
        recordWrite(target, .function(body), at: start..<lastEnd)
    }

    private mutating func parseLocal() throws(UnreadableSource) {
        advance()
        if accept("function") {
            let (name, place) = try requireName()
            // Declared first, because the function can call itself.
            let variable = declare(name, place)
            variable.initializer = .function(
                try nested { parser throws(UnreadableSource) in try parser.parseFunction() })
            return
        }
        var names: [(name: String, place: SourcePlace)] = []
        repeat {
            names.append(try requireName())
            if accept("<") {
                _ = try requireName()
                try require(">")
            }
        } while accept(",")
        let values = accept("=") ? try parseExpressions() : []
        // Declared last, because `local x = x` reads the outer one.
        for (index, (name, place)) in names.enumerated() {
            declare(name, place, index < values.count ? values[index] : nil)
        }
    }

    private mutating func parseExpressionStatement() throws(UnreadableSource) {
        let first = try parseSuffixed()
        guard at("=") || at(",") else {
            guard case .call(let call) = first else { throw UnreadableSource() }
            call.isStatement = true
            return
        }
        var targets = [first]
        while accept(",") { targets.append(try parseSuffixed()) }
        try require("=")
        let values = try parseExpressions()
        for (index, target) in targets.enumerated() {
            let last = values[min(index, values.count - 1)]
            recordWrite(target, index < values.count ? last.value : .opaque, at: last.range)
        }
    }
}
