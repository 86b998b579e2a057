/// The contents of a source text: its functions, variables, calls and uses of names, in order.
///
/// Made by ``init(_:)`` from a text that Lua accepts; of another one nothing is said.
struct LuaSource {
    /// A use of a global name.
    struct GlobalUse {
        let name: String
        let place: SourcePlace
        let kind: UseKind
    }

    /// A use of a field, `base.name`.
    struct FieldUse {
        let base: LuaExpression
        let name: String
        let place: SourcePlace
        let kind: UseKind
    }

    enum UseKind {
        case read
        /// Read only to see whether it is there, as in `utf8 and utf8.len`.
        case tested
        case written(LuaExpression)
    }

    /// Statements that are run only if conditions are what they must be.
    struct Branch {
        struct Condition {
            let range: Range<SourcePlace>
            let isWanted: Bool
        }

        let body: Range<SourcePlace>
        let conditions: [Condition]
    }

    /// The text as a whole.
    let main: LuaFunction
    var variables: [LuaVariable] = []
    var calls: [LuaCallExpression] = []
    var globals: [GlobalUse] = []
    var fields: [FieldUse] = []
    /// All table constructors.
    var tables: [LuaTable] = []
    /// The branches of all `if`s.
    var branches: [Branch] = []
    /// True if the text changes what global names mean.
    var usesEnvironment = false

    init(main: LuaFunction) { self.main = main }

    /// Reads a source text.
    init(_ bytes: [UInt8]) throws(UnreadableSource) {
        var parser = LuaParser(try LuaLexer.tokens(of: bytes))
        self = try parser.parse()
    }
}
