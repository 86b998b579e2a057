public import PlainValue

extension ValueSchema {
    /// Checks that a value has this shape.
    ///
    /// A float without a fraction passes as an integer, an empty table as a list or a record.
    ///
    /// ```swift
    /// // throws there is no field 'urll'. Did you mean 'url'? (its fields are url)
    /// try ValueSchema(parsing: "{ url: string }").check(["urll": "http://localhost"])
    /// ```
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input`, the place of the first fault and, for
    ///   an unknown field, the most similar name.
    public func check(_ value: Value) throws(WorkerError) { try check(value, at: ValuePath()) }

    private func check(_ value: Value, at path: ValuePath) throws(WorkerError) {
        switch (self, value) {
        case (.any, _), (.null, .null), (.boolean, .bool), (.integer, .int), (.number, .int),
            (.number, .double), (.string, .string), (.optional, .null):
            return
        case (.integer, .double(let double)) where double == double.rounded():
            return
        case (.choice(let texts), .string(let text)):
            guard !texts.contains(text) else { return }
            throw WorkerError(
                "bad_input",
                "expected \(phrase)\(path.place), found \(value.summary(maxLength: 60))"
                    + didYouMean(text, among: texts))
        case (.optional(let schema), _):
            try schema.check(value, at: path)
        case (.list(let element), .list(let list)):
            for (index, value) in list.enumerated() {
                try element.check(value, at: path.appending(.index(index + 1)))
            }
        case (.list, .record(let record)) where record.isEmpty:
            return
        case (.map, .list(let list)) where list.isEmpty:
            return
        case (.map(let element), .record(let record)):
            for (key, value) in record { try element.check(value, at: path.appending(.key(key))) }
        case (.record(let fields), .list(let list)) where list.isEmpty:
            try Self.check([:], fields, at: path)
        case (.record(let fields), .record(let record)):
            try Self.check(record, fields, at: path)
        default:
            throw WorkerError("bad_input", "expected \(phrase)\(path.place), found \(value.kind)")
        }
    }

    private static func check(
        _ record: Value.Record, _ fields: [Field], at path: ValuePath
    ) throws(WorkerError) {
        let names = fields.map(\.name)
        for key in record.keys where !names.contains(key) {
            throw WorkerError(
                "bad_input",
                "there is no field '\(key)'\(path.place)\(didYouMean(key, among: names))",
                help: fields.isEmpty
                    ? "it has no fields" : "its fields are \(names.joined(separator: ", "))")
        }
        for field in fields {
            if let value = record[field.name] {
                try field.schema.check(value, at: path.appending(.key(field.name)))
            } else if !field.isOptional {
                throw WorkerError(
                    "bad_input",
                    "the field '\(field.name)' is missing\(path.place)",
                    help: "it is \(field.schema.phrase)")
            }
        }
    }
}

extension ValuePath {
    /// The place in a message: ` at rows[3]`; empty for the value itself.
    fileprivate var place: String { isEmpty ? "" : " at \(self)" }
}
