/// Decodes a type that is a single value.
struct SingleValueDecoder: SingleValueDecodingContainer {
    let reader: ValueReader

    var codingPath: [any CodingKey] { reader.codingPath }

    private var scalar: ScalarReader {
        ScalarReader(value: reader.value, outer: reader.context, key: nil)
    }

    func decodeNil() -> Bool { reader.value.isNull }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try reader.decode(type) }

    func decode(_ type: Bool.Type) throws -> Bool { try scalar.bool() }
    func decode(_ type: String.Type) throws -> String { try scalar.string() }
    func decode(_ type: Double.Type) throws -> Double { try scalar.double() }
    func decode(_ type: Float.Type) throws -> Float { try scalar.float() }
    func decode(_ type: Int.Type) throws -> Int { try scalar.int() }
    func decode(_ type: Int8.Type) throws -> Int8 { try scalar.int() }
    func decode(_ type: Int16.Type) throws -> Int16 { try scalar.int() }
    func decode(_ type: Int32.Type) throws -> Int32 { try scalar.int() }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar.int() }
    func decode(_ type: UInt.Type) throws -> UInt { try scalar.int() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar.int() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar.int() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar.int() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar.int() }
}
