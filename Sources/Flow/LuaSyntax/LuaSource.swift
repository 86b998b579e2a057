/// The contents of a source text: its functions, variables, calls and uses of names, in order.
/// ``init(_:)`` is meant for texts that Lua accepts; it may reject or misread others.
package struct LuaSource {
    package struct GlobalUse {
        package let name: String
        package let place: SourcePlace
        package let kind: UseKind
    }

    package struct FieldUse {
        package let base: LuaExpression
        package let name: String
        package let place: SourcePlace
        package let kind: UseKind
        /// The place of the value that is written; `nil` if none is.
        package var valueRange: Range<SourcePlace>?
    }

    package enum UseKind {
        case read
        /// Read only to test whether it exists, as in `utf8 and utf8.len`.
        case tested
        case written(LuaExpression)
    }

    /// An operator and the operands beside it, without regard to precedence.
    package struct Operation {
        /// The operator; `[]` for a computed key, `for` for a bound of a counting loop, `in` for
        /// the iterator of another loop.
        package let symbol: String
        /// The operand before it; `nil` for an operator of one operand.
        package let left: LuaExpression?
        package let right: LuaExpression
        package let place: SourcePlace
    }

    /// Statements that run only under conditions.
    package struct Branch {
        package struct Condition {
            package let range: Range<SourcePlace>
            package let isWanted: Bool
        }

        package let body: Range<SourcePlace>
        package let conditions: [Condition]

        /// The operands of a choice, each with those before it: `b` in `a and b` runs only if `a`
        /// holds, and `c` in `a or c` only if it does not.
        static func all(in parts: [[LuaChoice.Operand]]) -> [Branch] {
            var branches: [Branch] = []
            var failed: [Condition] = []
            for part in parts {
                var conditions = failed
                for operand in part {
                    if !conditions.isEmpty {
                        branches.append(Branch(body: operand.range, conditions: conditions))
                    }
                    conditions.append(Condition(range: operand.range, isWanted: true))
                }
                guard let first = part.first, let last = part.last else { continue }
                let range = first.range.lowerBound..<last.range.upperBound
                failed.append(Condition(range: range, isWanted: false))
            }
            return branches
        }
    }

    /// A `return`, a `break` or a `goto` to a later label.
    package struct Exit {
        package enum Kind {
            case `return`, `break`, goto
        }

        package let kind: Kind
        /// From the statement to where it goes on.
        package let skipped: Range<SourcePlace>

        package var place: SourcePlace { skipped.lowerBound }
    }

    package struct Loop {
        package let place: SourcePlace
        /// True if this is `while true` or `repeat` with `until false`.
        package internal(set) var isEndless = false
        package let body: Range<SourcePlace>
    }

    /// The text as a whole.
    package let main: LuaFunction
    let scopes: LuaScopes
    package var variables: [LuaVariable] { scopes.variables }
    package var calls: [LuaCallExpression] = []
    package var globals: [GlobalUse] = []
    package var fields: [FieldUse] = []
    /// The assignments to elements, `base[key]`, with the places of the keys.
    package var elementWrites:
        [(base: LuaExpression, key: LuaExpression, value: LuaExpression, place: SourcePlace)] = []
    package var operations: [Operation] = []
    /// The places of `not` before an operand of a comparison, as in `not a == b`.
    package var negations: [SourcePlace] = []
    package var tables: [LuaTable] = []
    /// The branches of all `if`s, and the operands that run only if those before them hold.
    package var branches: [Branch] = []
    package var exits: [Exit] = []
    package var loops: [Loop] = []
    /// All functions, inner ones before those around them.
    package var functions: [LuaFunction] { scopes.functions }
    /// True if the text uses `_ENV`, which changes what global names mean.
    package var usesEnvironment = false

    package init(main: LuaFunction) {
        self.main = main
        scopes = LuaScopes()
    }

    package init(_ bytes: [UInt8]) throws(UnreadableSource) {
        var parser = LuaParser(try LuaLexer.tokens(of: bytes))
        self = try parser.parse()
    }
}

/// A place in a source file: line and column, both from 1; the column counts bytes, as Lua does.
package struct SourcePlace: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (a: SourcePlace, b: SourcePlace) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}
