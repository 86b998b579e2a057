/// The place of a decoder, and the errors that it throws there.
struct DecodingContext {
    let codingPath: CodingPath
    let userInfo: [CodingUserInfoKey: Any]
    let readsLargeIntegersFromText: Bool

    func inside(_ key: any CodingKey) -> DecodingContext {
        DecodingContext(
            codingPath: .inside(codingPath, key), userInfo: userInfo,
            readsLargeIntegersFromText: readsLargeIntegersFromText)
    }

    /// The error for a value of the wrong kind here.
    func mismatch<T>(_ type: T.Type, expected: String, found value: Value) -> DecodingError {
        let context = codingPath.decodingContext(
            "expected \(expected)\(codingPath.phrase), found \(value.kind)")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a number here that the type cannot hold.
    func outOfRange<T>(_ type: T.Type, _ value: Value) -> DecodingError {
        .dataCorrupted(
            codingPath.decodingContext("\(value)\(codingPath.phrase) does not fit \(type)"))
    }

    /// The error for a record here that lacks a key.
    func missing(_ key: any CodingKey) -> DecodingError {
        let name = LuaText.quoted(key.stringValue)
        return .keyNotFound(
            key,
            codingPath.decodingContext("expected a key \(name)\(codingPath.phrase), found none"))
    }

    /// The error for a list here that has no element at a position.
    func pastEnd<T>(_ type: T.Type, at key: PositionKey) -> DecodingError {
        let place = CodingPath.inside(codingPath, key)
        return .valueNotFound(
            type,
            place.decodingContext("expected an element\(place.phrase), found the end of the list"))
    }
}
