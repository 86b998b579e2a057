/// A function of a source text, or the text as a whole.
package final class LuaFunction {
    /// The function around it; `nil` for the text as a whole.
    package let outer: LuaFunction?
    /// Its parameters, the `self` of a method included.
    package var parameters: [LuaVariable] = []
    /// The values of each of its `return` statements.
    package var returns: [[(value: LuaExpression, place: SourcePlace)]] = []

    package init(outer: LuaFunction?) { self.outer = outer }

    /// The outermost function that this one is or stands in; `nil` for the file itself.
    package var outermost: LuaFunction? {
        guard let outer else { return nil }
        return outer.outermost ?? self
    }
}

/// A local variable, a parameter, or what a loop counts with.
package final class LuaVariable {
    package let name: String
    package let place: SourcePlace
    /// The function that declares it.
    package let owner: LuaFunction
    /// Its first value, where the declaration says it.
    package var initializer: LuaExpression?
    /// The assignments after its declaration.
    package var assignments: [(value: LuaExpression, place: SourcePlace, function: LuaFunction)] =
        []
    /// The places where it is read, with the functions these stand in.
    package var reads: [(place: SourcePlace, function: LuaFunction)] = []

    package init(_ name: String, _ place: SourcePlace, owner: LuaFunction) {
        self.name = name
        self.place = place
        self.owner = owner
    }

    /// The value that it always has, if nothing else is ever assigned to it.
    package var onlyValue: LuaExpression? { assignments.isEmpty ? initializer : nil }
}
