import PlainValue

// There is none for `nil`: as a plain value it would be null, which is another value in Lua.

extension LuaArgument: ExpressibleByBooleanLiteral {
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
}

extension LuaArgument: ExpressibleByIntegerLiteral {
    /// Makes an integer.
    public init(integerLiteral value: Int) { self = .value(.int(value)) }
}

extension LuaArgument: ExpressibleByFloatLiteral {
    /// Makes a float.
    public init(floatLiteral value: Double) { self = .value(.double(value)) }
}

extension LuaArgument: ExpressibleByStringInterpolation {
    /// Makes a string.
    public init(stringLiteral value: String) { self = .value(.string(value)) }
}
