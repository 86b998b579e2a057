struct NodeEncoder: Encoder {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }
    var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeRecord()
        return KeyedEncodingContainer(KeyedNodeEncoder<Key>(node: node, context: context))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeList()
        return UnkeyedNodeEncoder(node: node, context: context)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleNodeEncoder(node: node, context: context)
    }
}

struct SingleNodeEncoder: SingleValueEncodingContainer {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }

    func encode<T: Encodable>(_ value: T) throws {
        node.set(try context.value(of: value))
    }

    func encodeNil() { node.set(.null) }
}
