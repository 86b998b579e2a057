import PlainValue

/// A type whose shape is known without decoding it.
protocol KnownShape {
    static func shape(recorder: SchemaRecorder) throws -> (schema: ValueSchema, sample: Any)?
}

extension Value: KnownShape {
    static func shape(recorder: SchemaRecorder) -> (schema: ValueSchema, sample: Any)? {
        (.any, Value.null)
    }
}

extension Value.List: KnownShape {
    static func shape(recorder: SchemaRecorder) -> (schema: ValueSchema, sample: Any)? {
        (.list(.any), Value.List())
    }
}

extension Value.Record: KnownShape {
    static func shape(recorder: SchemaRecorder) -> (schema: ValueSchema, sample: Any)? {
        (.map(.any), Value.Record())
    }
}

extension Array: KnownShape where Element: Decodable {
    static func shape(recorder: SchemaRecorder) -> (schema: ValueSchema, sample: Any)? {
        (.list(recorder.schema(of: Element.self)), [Element]())
    }
}

extension Set: KnownShape where Element: Decodable {
    static func shape(recorder: SchemaRecorder) -> (schema: ValueSchema, sample: Any)? {
        (.list(recorder.schema(of: Element.self)), Set<Element>())
    }
}

extension Dictionary: KnownShape where Key: Decodable, Value: Decodable {
    static func shape(recorder: SchemaRecorder) -> (schema: ValueSchema, sample: Any)? {
        guard Key.self == String.self || Key.self == Int.self else { return nil }
        return (.map(recorder.schema(of: Value.self)), [Key: Value]())
    }
}

extension Optional: KnownShape where Wrapped: Decodable {
    static func shape(recorder: SchemaRecorder) -> (schema: ValueSchema, sample: Any)? {
        (.optional(recorder.schema(of: Wrapped.self)), Self.none as Any)
    }
}
