/// Makes samples of types, and records the requests of their decoding.
final class SchemaRecorder {
    private var open: [ObjectIdentifier] = []

    func sample<T: Decodable>(of type: T.Type) throws -> (value: T, schema: ValueSchema) {
        if let known = try (type as? any KnownShape.Type)?.shape(recorder: self),
            let value = known.sample as? T
        {
            return (value, known.schema)
        }
        if let scalar = Self.scalar(type), let value = scalar.sample as? T {
            return (value, scalar.schema)
        }
        if let sample = (type as? any CaseIterable.Type)?.firstCase as? T,
            let texts = (type as? any CaseIterable.Type)?.texts
        {
            return (sample, .choice(texts))
        }
        let identity = ObjectIdentifier(type)
        guard !open.contains(identity) else { throw ContainsItself(type: "\(type)") }
        open.append(identity)
        defer {
            assert(open.last == identity)
            open.removeLast()
        }
        let node = SchemaNode()
        let value = try T(from: RecordingDecoder(recorder: self, node: node, codingPath: []))
        return (value, node.schema)
    }

    private static func scalar(_ type: any Any.Type) -> (schema: ValueSchema, sample: Any)? {
        switch type {
        case is Bool.Type: (.boolean, false)
        case is String.Type: (.string, "")
        case is Double.Type: (.number, 0.0)
        case is Float.Type: (.number, Float(0))
        case let integer as any FixedWidthInteger.Type: (.integer, integer.init(0))
        default: nil
        }
    }

    func schema<T: Decodable>(of type: T.Type) -> ValueSchema {
        (try? sample(of: type).schema) ?? .any
    }
}

/// The error for a type that contains itself, with no list or optional between.
struct ContainsItself: Error, CustomStringConvertible {
    let type: String
    var description: String { "\(type) contains itself" }
}

final class SchemaNode {
    var scalar: ValueSchema?
    var element: SchemaNode?
    var isKeyed = false
    private var fields: [(name: String, node: SchemaNode)] = []
    /// Fields that the type requests only if they are present.
    var optional: Set<String> = []

    func field(_ name: String) -> SchemaNode {
        if let known = fields.first(where: { $0.name == name }) { return known.node }
        let node = SchemaNode()
        fields.append((name, node))
        return node
    }

    var schema: ValueSchema {
        if let scalar { return scalar }
        if let element { return .list(element.schema) }
        guard isKeyed else { return .any }
        return .record(
            fields.map { field in
                let schema = field.node.schema
                guard optional.contains(field.name) else { return .init(field.name, schema) }
                if case .optional = schema { return .init(field.name, schema) }
                return .init(field.name, .optional(schema))
            })
    }
}

extension CaseIterable {
    fileprivate static var firstCase: Any? { allCases.first }

    /// The raw values, if they are texts.
    fileprivate static var texts: [String]? {
        let texts = allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        return texts.isEmpty ? nil : texts
    }
}
