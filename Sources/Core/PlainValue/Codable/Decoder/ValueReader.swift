struct ValueReader: Decoder {
    let value: Value
    let context: DecodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }
    var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // Not through `init(from:)`, which would take a value apart and put it together again.
        if T.self == Value.self, let value = value as? T { return value }
        return try T(from: self)
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let record: Value.Record
        switch value {
        case .record(let present): record = present
        case .list(let list) where list.isEmpty: record = [:]
        default:
            throw context.mismatch([String: Value].self, expected: "a record", found: value)
        }
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(record: record, context: context))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let list: Value.List
        switch value {
        case .list(let present): list = present
        case .record(let record) where record.isEmpty: list = []
        default:
            throw context.mismatch([Value].self, expected: "a list", found: value)
        }
        return UnkeyedValueDecoder(list: list, context: context)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleValueDecoder(reader: self)
    }
}

struct SingleValueDecoder: SingleValueDecodingContainer {
    let reader: ValueReader

    var codingPath: [any CodingKey] { reader.codingPath }

    func decodeNil() -> Bool { reader.value.isNull }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try ScalarReader(value: reader.value, outer: reader.context, key: nil).decode(type)
    }
}
