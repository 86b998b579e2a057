struct KeyedNodeEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }

    private func put(_ value: Value, _ key: any CodingKey) {
        node.append(.value(value), forKey: key.stringValue)
    }

    private func nest(_ key: any CodingKey) -> NodeEncoder {
        let child = EncodingNode()
        node.append(.node(child), forKey: key.stringValue)
        return NodeEncoder(node: child, context: context.inside(key))
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        put(try context.value(of: value, at: key), key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nest(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nest(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nest(NameKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { nest(key) }

    func encodeNil(forKey key: Key) { put(.null, key) }
}
