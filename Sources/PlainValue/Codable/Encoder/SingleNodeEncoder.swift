/// Encodes a type that is a single value.
struct SingleNodeEncoder: SingleValueEncodingContainer {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }

    private func put(integer: some FixedWidthInteger) throws {
        node.set(try context.value(ofInteger: integer))
    }

    func encode<T: Encodable>(_ value: T) throws {
        node.set(try context.value(of: value))
    }

    func encodeNil() { node.set(.null) }
    func encode(_ value: Bool) { node.set(.bool(value)) }
    func encode(_ value: String) { node.set(.string(value)) }
    func encode(_ value: Double) { node.set(.double(value)) }
    func encode(_ value: Float) { node.set(.double(Double(value))) }
    func encode(_ value: Int) throws { try put(integer: value) }
    func encode(_ value: Int8) throws { try put(integer: value) }
    func encode(_ value: Int16) throws { try put(integer: value) }
    func encode(_ value: Int32) throws { try put(integer: value) }
    func encode(_ value: Int64) throws { try put(integer: value) }
    func encode(_ value: UInt) throws { try put(integer: value) }
    func encode(_ value: UInt8) throws { try put(integer: value) }
    func encode(_ value: UInt16) throws { try put(integer: value) }
    func encode(_ value: UInt32) throws { try put(integer: value) }
    func encode(_ value: UInt64) throws { try put(integer: value) }
}
