import PlainValue

/// The part of JSON Schema (draft 2020-12) that the protocol uses. Other keywords are problems.
struct JSONSchema {
    private let root: Value

    init(_ root: Value) { self.root = root }

    /// The keywords that do not constrain values.
    private static let words: Set = ["$schema", "$id", "$defs", "title", "description"]

    /// The problems of a value, each with its path; none if it matches the named definition.
    func problems(of value: Value, as name: String) -> [String] {
        problems(of: value, at: name, in: ["$ref": .string("#/$defs/\(name)")])
    }

    private func problems(of value: Value, at path: String, in schema: Value) -> [String] {
        (schema.record ?? [:]).sorted { $0.key < $1.key }.flatMap { keyword, rule in
            problems(of: value, at: path, keyword, rule)
        }
    }

    private func problems(
        of value: Value, at path: String, _ keyword: String, _ rule: Value
    ) -> [String] {
        func no(_ text: String) -> [String] { ["\(path): \(value.json) \(text)"] }
        switch keyword {
        case "$ref":
            let name = rule.string?.split(separator: "/").last.map(String.init) ?? ""
            guard let schema = root["$defs"]?[name] else { return no("has no schema \(rule.json)") }
            return problems(of: value, at: path, in: schema)
        case "type":
            return Self.type(value) == rule.string ? [] : no("is not of the type \(rule.json)")
        case "const": return value == rule ? [] : no("is not \(rule.json)")
        case "enum": return rule.list?.contains(value) == true ? [] : no("is none of \(rule.json)")
        case "minimum":
            guard let number = value.int else { return [] }
            return number >= rule.int ?? 0 ? [] : no("is less than \(rule.json)")
        case "pattern":
            guard let text = value.string, let pattern = try? Regex(rule.string ?? "") else {
                return []
            }
            return text.contains(pattern) ? [] : no("does not match \(rule.json)")
        case "required":
            guard let record = value.record else { return [] }
            return (rule.list ?? []).compactMap(\.string).filter { record[$0] == nil }
                .flatMap { no("has no \($0)") }
        case "properties":
            guard let record = value.record else { return [] }
            return (rule.record ?? [:]).flatMap { name, schema in
                record[name].map { problems(of: $0, at: "\(path).\(name)", in: schema) } ?? []
            }
        case "items":
            return (value.list ?? []).enumerated().flatMap { index, item in
                problems(of: item, at: "\(path)[\(index)]", in: rule)
            }
        case "anyOf", "oneOf":
            let fits = (rule.list ?? []).count { problems(of: value, at: path, in: $0).isEmpty }
            return fits == 1 || keyword == "anyOf" && fits > 1
                ? [] : no("fits \(fits) of \(keyword)")
        case "additionalProperties": return rule == true ? [] : no("has a rule that is not known")
        default: return Self.words.contains(keyword) ? [] : no("has the rule \(keyword)")
        }
    }

    private static func type(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .int: "integer"
        case .double: "number"
        case .string: "string"
        case .list: "array"
        case .record: "object"
        }
    }
}
