package import PlainValue

/// An expression, in the detail that the checks need.
package indirect enum LuaExpression {
    case constant(Value)
    case function(LuaFunction)
    case table(LuaTable)
    case variable(LuaVariable, SourcePlace)
    case global(String, SourcePlace)
    /// `base.name`, also written `base["name"]`.
    case field(LuaExpression, String, SourcePlace)
    /// `base[key]` with a key that is not a name.
    case element(LuaExpression, key: LuaExpression, SourcePlace)
    case call(LuaCallExpression)
    case choice(LuaChoice)
    /// Anything else: an operation, `...`.
    case opaque

    /// The text of a string literal.
    package var text: String? {
        if case .constant(let value) = self { value.string } else { nil }
    }

    /// The variable at the start of a chain of fields and elements.
    package var root: LuaVariable? {
        switch self {
        case .variable(let variable, _): variable
        case .field(let base, _, _), .element(let base, _, _): base.root
        default: nil
        }
    }

    package var variable: LuaVariable? {
        if case .variable(let variable, _) = self { variable } else { nil }
    }
}

/// Operands joined by `and` and `or`.
package struct LuaChoice {
    package struct Operand {
        package let value: LuaExpression
        package let range: Range<SourcePlace>

        package var place: SourcePlace { range.lowerBound }

        package init(value: LuaExpression, range: Range<SourcePlace>) {
            self.value = value
            self.range = range
        }
    }

    /// The operands joined by `and`, for each of the parts joined by `or`.
    package let parts: [[Operand]]
}

package struct LuaTable {
    package struct Field {
        package enum Key {
            case position
            case name(String)
            case computed
        }

        package let key: Key
        package let value: LuaExpression
        /// The start of the field.
        package let place: SourcePlace
        package let valueRange: Range<SourcePlace>

        package var name: String? { if case .name(let name) = key { name } else { nil } }

        package var valuePlace: SourcePlace { valueRange.lowerBound }
    }

    /// The opening brace.
    package let place: SourcePlace
    package let fields: [Field]

    /// True if all keys are known names.
    package var isClosed: Bool {
        fields.allSatisfy { if case .name = $0.key { true } else { false } }
    }

    package var names: [String] { fields.compactMap(\.name) }

    package subscript(name: String) -> Field? {
        fields.last { if case .name(let known) = $0.key, known == name { true } else { false } }
    }
}

package final class LuaCallExpression {
    package let callee: LuaExpression
    /// The name after a colon.
    package let method: String?
    package let arguments: [LuaExpression]
    package let places: [SourcePlace]
    /// The place of the method's name, otherwise the start of the call.
    package let place: SourcePlace
    package let end: SourcePlace
    /// The function that contains the call.
    package let function: LuaFunction
    /// True if it is a statement, so that its result is not used.
    package internal(set) var isStatement = false

    package init(
        callee: LuaExpression, method: String?, arguments: [LuaExpression], places: [SourcePlace],
        place: SourcePlace, end: SourcePlace, function: LuaFunction
    ) {
        self.callee = callee
        self.method = method
        self.arguments = arguments
        self.places = places
        self.place = place
        self.end = end
        self.function = function
    }

    /// The name of the module, if this is `require` with a literal.
    package var requiredModule: String? {
        guard case .global("require", _) = callee, method == nil, arguments.count == 1 else {
            return nil
        }
        return arguments[0].text
    }
}
