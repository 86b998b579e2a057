struct SingleNodeEncoder: SingleValueEncodingContainer {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }

    func encode<T: Encodable>(_ value: T) throws {
        node.set(try context.value(of: value))
    }

    func encodeNil() { node.set(.null) }
}
