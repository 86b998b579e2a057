/// A function in a source text, or the text as a whole.
package final class LuaFunction {
    /// The function around it; `nil` for the text as a whole.
    package let outer: LuaFunction?
    /// Its parameters, including the `self` of a method.
    package var parameters: [LuaVariable] = []
    /// The values of each of its `return` statements.
    package var returns: [[LuaChoice.Operand]] = []

    /// The text from its parameters to its end; `nil` for the text as a whole.
    package var range: Range<SourcePlace>?

    package init(outer: LuaFunction?) { self.outer = outer }

    /// The outermost function around this one, or the function itself; `nil` for the file.
    package var outermost: LuaFunction? {
        guard let outer else { return nil }
        return outer.outermost ?? self
    }
}

/// A local variable, a parameter or a loop variable.
package final class LuaVariable {
    package struct Assignment {
        package let value: LuaExpression
        /// The place of the variable's name.
        package let place: SourcePlace
        package let valueRange: Range<SourcePlace>
        package let function: LuaFunction
    }

    package let name: String
    package let place: SourcePlace
    package let owner: LuaFunction
    package var initializer: LuaExpression?
    package var initializerRange: Range<SourcePlace>?
    /// The table whose elements it goes through, for a variable of a loop over `pairs` or `ipairs`.
    package var iterated: LuaExpression?
    /// The assignments after its declaration.
    package var assignments: [Assignment] = []
    /// The places that read it, with the functions around them.
    package var reads: [(place: SourcePlace, function: LuaFunction)] = []

    package init(_ name: String, _ place: SourcePlace, owner: LuaFunction) {
        self.name = name
        self.place = place
        self.owner = owner
    }

    package var onlyValue: LuaExpression? { assignments.isEmpty ? initializer : nil }
}

/// The functions and variables of a source text, which refer to each other.
///
/// - Important: They are emptied when the ``LuaSource`` is released, so users must retain it.
final class LuaScopes {
    var variables: [LuaVariable] = []
    var functions: [LuaFunction] = []

    deinit {
        for variable in variables {
            variable.initializer = nil
            variable.iterated = nil
            variable.assignments = []
            variable.reads = []
            variable.owner.parameters = []
            variable.owner.returns = []
        }
        // The text may have ended within the function around it.
        for function in functions { function.outer?.returns = [] }
    }
}
