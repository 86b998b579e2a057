/// Decodes the elements of a sequence from those of a list.
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

    /// Reads the next element by `read`, and moves on only when that succeeds.
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
        try next(type) { try $0.reader.decode(type) }
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

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String {
        try next(type) { try $0.string() }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try next(type) { try $0.double() }
    }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.int() } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.int() } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.int() } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.int() } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.int() } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.int() } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.int() } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.int() } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.int() } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.int() } }
}
