import PlainValue

extension ValueSchema: CustomStringConvertible {
    /// The shape in the type notation of the Lua language server.
    public var description: String {
        switch self {
        case .any: "any"
        case .null: "nil"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .choice(let texts): texts.map { "\(Value.string($0))" }.joined(separator: "|")
        case .optional(let schema): "\(schema.inner)?"
        case .list(let element): "\(element.inner)[]"
        case .map(let element): "table<string, \(element)>"
        case .record(let fields):
            fields.isEmpty
                ? "{}" : "{ \(fields.map(\.description).joined(separator: ", ")) }"
        }
    }

    /// The shape in front of `?` and `[]`.
    private var inner: String {
        switch self {
        case .choice, .optional: "(\(self))"
        default: description
        }
    }

    /// The shape as part of a sentence: `a string`, `a list`.
    var phrase: String {
        switch self {
        case .any: "a value"
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .choice(let texts):
            texts.count == 1
                ? description
                : "one of \(texts.map { "\(Value.string($0))" }.joined(separator: ", "))"
        case .optional(let schema): schema.phrase
        case .list: "a list"
        case .map, .record: "a record"
        }
    }
}

extension ValueSchema.Field: CustomStringConvertible {
    /// The field in braces: `headers?: table<string, string>`.
    public var description: String {
        // Printed as a key of a record, which adds the quotes that a name may need.
        let key = "\(Value.record([name: 0]))".dropFirst(2).dropLast(6)
        if case .optional(let inner) = schema { return "\(key)?: \(inner)" }
        return "\(key): \(schema)"
    }
}
