struct UnkeyedNodeEncoder: UnkeyedEncodingContainer {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }
    var count: Int { node.count }

    private func put(_ value: Value) { node.append(.value(value)) }

    private func nest() -> NodeEncoder {
        let child = NodeEncoder(
            node: EncodingNode(), context: context.inside(PositionKey(node.count)))
        node.append(.node(child.node))
        return child
    }

    func encode<T: Encodable>(_ value: T) throws {
        put(try context.value(of: value, at: PositionKey(node.count)))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nest().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nest().unkeyedContainer() }
    func superEncoder() -> any Encoder { nest() }

    func encodeNil() { put(.null) }
}
