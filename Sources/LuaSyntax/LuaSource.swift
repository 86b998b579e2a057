/// The contents of a source text: its functions, variables, calls and uses of names, in order.
///
/// ``init(_:)`` is meant for texts that Lua accepts; it may reject or misread others.
package struct LuaSource {
    /// A use of a global name.
    package struct GlobalUse {
        package let name: String
        package let place: SourcePlace
        package let kind: UseKind
    }

    /// A use of a field, `base.name`.
    package struct FieldUse {
        package let base: LuaExpression
        package let name: String
        package let place: SourcePlace
        package let kind: UseKind
    }

    package enum UseKind {
        case read
        /// Read only to test whether it exists, as in `utf8 and utf8.len`.
        case tested
        case written(LuaExpression)
    }

    /// Statements that run only under conditions.
    package struct Branch {
        package struct Condition {
            package let range: Range<SourcePlace>
            package let isWanted: Bool
        }

        package let body: Range<SourcePlace>
        package let conditions: [Condition]
    }

    /// A `return` statement.
    package struct Exit {
        package let place: SourcePlace
        package let function: LuaFunction
    }

    /// The text as a whole.
    package let main: LuaFunction
    package var variables: [LuaVariable] = []
    package var calls: [LuaCallExpression] = []
    package var globals: [GlobalUse] = []
    package var fields: [FieldUse] = []
    /// All table constructors.
    package var tables: [LuaTable] = []
    /// The branches of all `if`s.
    package var branches: [Branch] = []
    package var exits: [Exit] = []
    /// True if the text uses `_ENV`, which changes what global names mean.
    package var usesEnvironment = false

    package init(main: LuaFunction) { self.main = main }

    /// Parses a source text.
    package init(_ bytes: [UInt8]) throws(UnreadableSource) {
        var parser = LuaParser(try LuaLexer.tokens(of: bytes))
        self = try parser.parse()
    }
}
