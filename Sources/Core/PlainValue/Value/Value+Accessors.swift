extension Value {
    /// True if it is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The truth value; `nil` for a value of another kind.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The integer; `nil` for a value of another kind, including a float without a fraction.
    public var int: Int? {
        if case .int(let int) = self { int } else { nil }
    }

    /// The floating-point number; `nil` for a value of another kind, including an integer.
    ///
    /// Use ``number`` where either kind of number will do.
    public var double: Double? {
        if case .double(let double) = self { double } else { nil }
    }

    /// The number, integer or float; `nil` for a value of another kind.
    ///
    /// - Note: An integer beyond 2⁵³ is rounded to the nearest float.
    public var number: Double? {
        switch self {
        case .int(let int): Double(int)
        case .double(let double): double
        default: nil
        }
    }

    /// The text; `nil` for a value of another kind.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The list; `nil` for a value of another kind.
    public var list: List? {
        if case .list(let list) = self { list } else { nil }
    }

    /// The record; `nil` for a value of another kind.
    public var record: Record? {
        if case .record(let record) = self { record } else { nil }
    }
}
