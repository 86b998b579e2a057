/// Encodes the elements of a sequence as those of a list.
struct UnkeyedNodeEncoder: UnkeyedEncodingContainer {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }
    var count: Int { node.count }

    private var contextOfNext: EncodingContext { context.inside(PositionKey(node.count)) }

    private func put(_ value: Value) {
        node.append(.value(value))
    }

    private func put(integer: some FixedWidthInteger) throws {
        put(try contextOfNext.value(ofInteger: integer))
    }

    private func nest() -> NodeEncoder {
        let child = NodeEncoder(node: EncodingNode(), context: contextOfNext)
        node.append(.node(child.node))
        return child
    }

    func encode<T: Encodable>(_ value: T) throws {
        put(try contextOfNext.value(of: value))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nest().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nest().unkeyedContainer() }
    func superEncoder() -> any Encoder { nest() }

    func encodeNil() { put(.null) }
    func encode(_ value: Bool) { put(.bool(value)) }
    func encode(_ value: String) { put(.string(value)) }
    func encode(_ value: Double) { put(.double(value)) }
    func encode(_ value: Float) { put(.double(Double(value))) }
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
