struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    let list: Value.List
    let context: DecodingContext
    private(set) var currentIndex = 0

    init(list: Value.List, context: DecodingContext) {
        self.list = list
        self.context = context
    }

    var codingPath: [any CodingKey] { context.codingPath.keys }
    var count: Int? { list.count }
    var isAtEnd: Bool { currentIndex >= list.count }

    private mutating func next<Result>(
        _ type: Result.Type, _ read: (ScalarReader) throws -> Result
    ) throws -> Result {
        let key = PositionKey(currentIndex)
        guard !isAtEnd else { throw context.pastEnd(type, at: key) }
        let element = ScalarReader(value: list[currentIndex], outer: context, key: key)
        let result = try read(element)
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw context.pastEnd(Any?.self, at: PositionKey(currentIndex)) }
        guard list[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try next(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(KeyedDecodingContainer<NestedKey>.self) { try $0.reader.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.reader.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { $0.reader }
    }
}
