/// Parses the tokens of a source text and records what the checks need. Each name is resolved to a
/// variable in scope or a global. Operators have no precedence here, because only their operands
/// matter.
struct LuaParser {
    /// A little deeper than Lua's own compiler allows.
    private static let maximumDepth = 220

    var source: LuaSource
    var function: LuaFunction
    private let tokens: [LuaToken]
    private var index = 0
    private var scopes: [[String: LuaVariable]] = [[:]]
    private var depth = 0
    /// The end of the last token before the current one.
    private(set) var lastEnd = SourcePlace(line: 1, column: 1)
    /// The `break`s in each open loop.
    var breaks: [[SourcePlace]] = []
    /// The `return`s in each open function.
    var returns: [[SourcePlace]] = [[]]
    /// The `goto`s in each open function whose labels were not met yet.
    var gotos: [[(label: String, place: SourcePlace)]] = [[]]

    init(_ tokens: [LuaToken]) {
        self.tokens = tokens
        function = LuaFunction(outer: nil)
        source = LuaSource(main: function)
    }

    mutating func parse() throws(UnreadableSource) -> LuaSource {
        try parseBlock()
        guard token.kind == .end else { throw UnreadableSource() }
        return source
    }

    // MARK: Tokens

    var token: LuaToken { tokens[index] }

    var next: LuaToken { tokens[min(index + 1, tokens.count - 1)] }

    func at(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    mutating func advance() {
        guard index < tokens.count - 1 else { return }
        lastEnd = token.end
        index += 1
    }

    mutating func accept(_ symbol: String) -> Bool {
        guard at(symbol) else { return false }
        advance()
        return true
    }

    mutating func require(_ symbol: String) throws(UnreadableSource) {
        guard accept(symbol) else { throw UnreadableSource() }
    }

    mutating func requireName() throws(UnreadableSource) -> (name: String, place: SourcePlace) {
        guard case .name(let name) = token.kind else { throw UnreadableSource() }
        defer { advance() }
        return (name, token.place)
    }

    mutating func nested<T>(
        _ body: (inout LuaParser) throws(UnreadableSource) -> T
    ) throws(UnreadableSource) -> T {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw UnreadableSource() }
        return try body(&self)
    }

    // MARK: Scopes

    mutating func openScope() { scopes.append([:]) }

    mutating func closeScope() { scopes.removeLast() }

    @discardableResult
    mutating func declare(
        _ name: String, _ place: SourcePlace, _ initializer: LuaChoice.Operand? = nil
    ) -> LuaVariable {
        let variable = LuaVariable(name, place, owner: function)
        variable.initializer = initializer?.value
        variable.initializerRange = initializer?.range
        scopes[scopes.count - 1][name] = variable
        source.scopes.variables.append(variable)
        if name == "_ENV" { source.usesEnvironment = true }
        return variable
    }

    func resolve(_ name: String) -> LuaVariable? {
        for scope in scopes.reversed() {
            if let variable = scope[name] { return variable }
        }
        return nil
    }

    // MARK: Functions

    /// The parameters and the body of a function, up to and including its `end`.
    mutating func parseFunction(hasSelf: Bool = false) throws(UnreadableSource) -> LuaFunction {
        let outer = function
        let made = LuaFunction(outer: outer)
        let start = token.place
        function = made
        gotos.append([])
        returns.append([])
        openScope()
        if hasSelf { made.parameters.append(declare("self", start)) }
        try require("(")
        while !at(")") {
            if accept("...") { break }
            let (name, place) = try requireName()
            made.parameters.append(declare(name, place))
            if !accept(",") { break }
        }
        try require(")")
        try parseBlock()
        made.range = start..<token.place
        source.scopes.functions.append(made)
        source.exits += returns.removeLast().map { .init(kind: .return, skipped: $0..<token.place) }
        gotos.removeLast()
        try require("end")
        closeScope()
        function = outer
        return made
    }
}
