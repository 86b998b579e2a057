/// A value inside a container, read as a scalar where its type is one. The place is put together
/// only for an error or for a nested container.
struct ScalarReader {
    let value: Value
    /// The container that holds the value or, when there is no key, the place of the value.
    let outer: DecodingContext
    let key: (any CodingKey)?

    var context: DecodingContext {
        if let key { outer.inside(key) } else { outer }
    }

    var reader: ValueReader { ValueReader(value: value, context: context) }

    /// Decodes the value. Scalars are read here: their `init(from:)` would ask for itself again.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if T.self == String.self, let text = try scalar(value.string, "a string") as? T {
            return text
        }
        if T.self == Bool.self, let bool = try scalar(value.bool, "a boolean") as? T {
            return bool
        }
        if T.self == Double.self, let double = try scalar(value.number, "a number") as? T {
            return double
        }
        if T.self == Float.self, let float = try float() as? T { return float }
        if T.self == Int.self, let int = try integer(Int.self) as? T { return int }
        if let integers = T.self as? any FixedWidthInteger.Type,
            let integer = try integer(integers) as? T
        {
            return integer
        }
        return try reader.decode(type)
    }

    private func scalar<Scalar>(_ scalar: Scalar?, _ expected: String) throws -> Scalar {
        if let scalar { return scalar }
        throw context.mismatch(Scalar.self, expected: expected, found: value)
    }

    private func float() throws -> Float {
        guard let number = value.number else {
            throw context.mismatch(Float.self, expected: "a number", found: value)
        }
        let float = Float(number)
        if float.isInfinite, number.isFinite { throw context.outOfRange(Float.self, value) }
        return float
    }

    private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        switch value {
        case .int(let int):
            if let integer = Integer(exactly: int) { return integer }
            throw context.outOfRange(Integer.self, value)
        case .double(let double) where double.isFinite && double == double.rounded():
            if let integer = Integer(exactly: double) { return integer }
            throw context.outOfRange(Integer.self, value)
        case .string(let text) where outer.readsLargeIntegersFromText:
            if Int(text) == nil, let integer = Integer(text) { return integer }
            throw context.mismatch(Integer.self, expected: "an integer", found: value)
        default:
            throw context.mismatch(Integer.self, expected: "an integer", found: value)
        }
    }
}
