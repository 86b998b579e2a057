struct SingleValueDecoder: SingleValueDecodingContainer {
    let reader: ValueReader

    var codingPath: [any CodingKey] { reader.codingPath }

    func decodeNil() -> Bool { reader.value.isNull }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try ScalarReader(value: reader.value, outer: reader.context, key: nil).decode(type)
    }
}
