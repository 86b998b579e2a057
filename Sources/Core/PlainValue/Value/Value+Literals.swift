extension Value: ExpressibleByNilLiteral {
    /// Makes ``null``.
    public init(nilLiteral: ()) { self = .null }
}

extension Value: ExpressibleByBooleanLiteral {
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension Value: ExpressibleByIntegerLiteral {
    /// Makes an integer.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension Value: ExpressibleByFloatLiteral {
    /// Makes a float.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByStringInterpolation {
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension Value: ExpressibleByArrayLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: Value...) { self = .list(List(elements)) }
}

extension Value: ExpressibleByDictionaryLiteral {
    /// Makes a record; of entries with the same key the last one counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .record(Record(elements))
    }
}

extension Value {
    package static func list(of elements: [Value]) -> Value { .list(List(elements)) }
}
