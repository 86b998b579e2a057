extension ValueSchema {
    /// Parses the form that ``description`` writes.
    ///
    /// ```swift
    /// let input = try ValueSchema(parsing: "{ url: string, tags?: string[] }")
    /// ```
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_schema` and the column of the fault.
    public init(parsing text: String) throws(WorkerError) {
        var parser = SchemaParser(text)
        self = try parser.parseAll()
    }
}

/// Parses the types of the Lua language server that plain values have.
private struct SchemaParser {
    /// The maximum depth of nested types, since a table in a library may hold any text.
    private static let maximumDepth = 32

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parseAll() throws(WorkerError) -> ValueSchema {
        let schema = try parseType()
        assert(depth == 0)
        guard peek() == nil else { throw expected("the end") }
        return schema
    }

    private mutating func parseType() throws(WorkerError) -> ValueSchema {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw WorkerError("bad_schema", "types are nested more than \(Self.maximumDepth) deep")
        }
        var schema = try parsePlain()
        while true {
            if take("?") {
                schema = .optional(schema)
            } else if take("[") {
                try require("]")
                schema = .list(schema)
            } else {
                return schema
            }
        }
    }

    private mutating func parsePlain() throws(WorkerError) -> ValueSchema {
        if take("(") {
            let schema = try parseType()
            try require(")")
            return schema
        }
        if take("{") { return .record(try parseFields()) }
        if peek() == "\"" { return try parseChoice() }
        let start = position
        switch try parseName() {
        case "any": return .any
        case "nil": return .null
        case "boolean": return .boolean
        case "integer": return .integer
        case "number": return .number
        case "string": return .string
        case "table":
            try require("<")
            guard try parseName() == "string" else { throw expected("'string'") }
            try require(",")
            let element = try parseType()
            try require(">")
            return .map(element)
        default:
            position = start
            throw expected("a type")
        }
    }

    private mutating func parseFields() throws(WorkerError) -> [ValueSchema.Field] {
        var fields: [ValueSchema.Field] = []
        while !take("}") {
            let name: String
            if take("[") {
                name = try parseQuoted()
                try require("]")
            } else {
                name = try parseName()
            }
            let isOptional = take("?")
            try require(":")
            let schema = try parseType()
            fields.append(.init(name, isOptional ? .optional(schema) : schema))
            if !take(",") {
                try require("}")
                break
            }
        }
        return fields
    }

    private mutating func parseChoice() throws(WorkerError) -> ValueSchema {
        var texts = [try parseQuoted()]
        while take("|") { texts.append(try parseQuoted()) }
        return .choice(texts)
    }

    private mutating func parseQuoted() throws(WorkerError) -> String {
        try require("\"")
        var text = ""
        while position < scalars.count, scalars[position] != "\"" {
            // No name or choice outside of tests needs an escape.
            guard scalars[position] != "\\" else { throw expected("a text without '\\'") }
            text.unicodeScalars.append(scalars[position])
            position += 1
        }
        try require("\"")
        return text
    }

    private mutating func parseName() throws(WorkerError) -> String {
        skipSpaces()
        let start = position
        while position < scalars.count, Self.isNamePart(scalars[position]) { position += 1 }
        guard position > start else { throw expected("a name") }
        var name = ""
        name.unicodeScalars.append(contentsOf: scalars[start..<position])
        return name
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    private mutating func skipSpaces() {
        while position < scalars.count, scalars[position] == " " { position += 1 }
    }

    private mutating func peek() -> Unicode.Scalar? {
        skipSpaces()
        return position < scalars.count ? scalars[position] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    private mutating func require(_ scalar: Unicode.Scalar) throws(WorkerError) {
        guard take(scalar) else { throw expected("'\(scalar)'") }
    }

    private func expected(_ what: String) -> WorkerError {
        WorkerError("bad_schema", "expected \(what) at column \(position + 1) of the type")
    }
}
