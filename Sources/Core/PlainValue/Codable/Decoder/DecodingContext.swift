struct DecodingContext {
    let codingPath: CodingPath
    let userInfo: [CodingUserInfoKey: Any]
    let readsLargeIntegersFromText: Bool

    func inside(_ key: any CodingKey) -> DecodingContext {
        DecodingContext(
            codingPath: .inside(codingPath, key), userInfo: userInfo,
            readsLargeIntegersFromText: readsLargeIntegersFromText)
    }

    func mismatch<T>(_ type: T.Type, expected: String, found value: Value) -> DecodingError {
        let context = codingPath.decodingContext(
            "expected \(expected)\(codingPath.phrase), found \(value.kind)")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func outOfRange<T>(_ type: T.Type, _ value: Value) -> DecodingError {
        .dataCorrupted(
            codingPath.decodingContext("\(value)\(codingPath.phrase) does not fit \(type)"))
    }

    func missing(_ key: any CodingKey) -> DecodingError {
        let name = LuaText.quoted(key.stringValue)
        return .keyNotFound(
            key,
            codingPath.decodingContext("expected a key \(name)\(codingPath.phrase), found none"))
    }

    func pastEnd<T>(_ type: T.Type, at key: PositionKey) -> DecodingError {
        let place = CodingPath.inside(codingPath, key)
        return .valueNotFound(
            type,
            place.decodingContext("expected an element\(place.phrase), found the end of the list"))
    }
}
