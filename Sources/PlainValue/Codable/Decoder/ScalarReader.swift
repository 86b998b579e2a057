/// A value inside a container, and what it is as a scalar.
///
/// The place is put together only for an error or for a nested container.
struct ScalarReader {
    let value: Value
    /// The container that holds the value or, when there is no key, the place of the value.
    let outer: DecodingContext
    let key: (any CodingKey)?

    var context: DecodingContext {
        if let key { outer.inside(key) } else { outer }
    }

    /// The decoder for this value.
    var reader: ValueReader { ValueReader(value: value, context: context) }

    func bool() throws -> Bool {
        if let bool = value.bool { return bool }
        throw context.mismatch(Bool.self, expected: "a boolean", found: value)
    }

    func string() throws -> String {
        if let string = value.string { return string }
        throw context.mismatch(String.self, expected: "a string", found: value)
    }

    func double() throws -> Double {
        if let number = value.number { return number }
        throw context.mismatch(Double.self, expected: "a number", found: value)
    }

    func float() throws -> Float {
        guard let number = value.number else {
            throw context.mismatch(Float.self, expected: "a number", found: value)
        }
        let float = Float(number)
        if float.isInfinite, number.isFinite { throw context.outOfRange(Float.self, value) }
        return float
    }

    func int<Integer: FixedWidthInteger>() throws -> Integer {
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
