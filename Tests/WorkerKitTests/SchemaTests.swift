import PlainValue
import Testing
import WorkerKit

private enum Method: String, Codable, CaseIterable { case get, post }

private struct Request: Codable {
    var url: String
    var method: Method?
    var headers: [String: String]?
    var retries: Int
    var timeout: Double?
    var tags: [String]
    var body: Value?
    var proxy: Proxy?

    struct Proxy: Codable {
        var host: String
        var secure: Bool
    }
}

private struct Tree: Codable {
    var name: String
    var children: [Tree]
}

private struct Even: Codable {
    var number: Int

    init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
        if number == 0 { throw WorkerError("odd", "zero will not do") }
    }
}

@Suite struct SchemaTests {
    @Test func aSchemaIsDerivedFromACodableType() throws {
        #expect(
            try ValueSchema(of: Request.self).description == """
                { url: string, method?: "get"|"post", headers?: table<string, string>, \
                retries: integer, timeout?: number, tags: string[], body?: any, \
                proxy?: { host: string, secure: boolean } }
                """)
    }

    @Test func scalarsListsAndPlainValuesHaveSchemas() throws {
        #expect(try ValueSchema(of: String.self) == .string)
        #expect(try ValueSchema(of: UInt8.self) == .integer)
        #expect(try ValueSchema(of: [Float?].self) == .list(.optional(.number)))
        #expect(try ValueSchema(of: Value.Record.self) == .map(.any))
        #expect(try ValueSchema(of: Set<Bool>.self) == .list(.boolean))
    }

    @Test func aTypeThatContainsItselfIsAnythingThere() throws {
        #expect(try ValueSchema(of: Tree.self).description == "{ name: string, children: any[] }")
    }

    @Test func aTypeThatRefusesItsSampleHasNoDerivedSchema() {
        #expect(throws: WorkerError("odd", "zero will not do")) { try ValueSchema(of: Even.self) }
    }

    @Test(arguments: [
        "any", "nil", "boolean[]", "table<string, integer[]>", "(string?)[]", "\"a\"|\"b c\"",
        "(\"a\"|\"b\")[]", "{}", "{ a: string, b?: { c: number }, [\"content-type\"]?: string }",
    ]) func aSchemaReadsWhatItWrites(text: String) throws {
        #expect(try ValueSchema(parsing: text).description == text)
    }

    @Test(arguments: [
        ("", "expected a name at column 1 of the type"),
        ("text", "expected a type at column 1 of the type"),
        ("{ a string }", "expected ':' at column 5 of the type"),
        ("string]", "expected the end at column 7 of the type"),
        ("\"a", "expected '\"' at column 3 of the type"),
        ("\"a\\n\"", "expected a text without '\\' at column 3 of the type"),
        (String(repeating: "(", count: 100_000), "types are nested more than 32 deep"),
    ]) func aTextThatIsNoSchemaIsRefused(text: String, message: String) {
        let error = #expect(throws: WorkerError.self) { try ValueSchema(parsing: text) }
        #expect(error == WorkerError("bad_schema", message))
    }

    private func fault(_ value: Value) throws -> WorkerError? {
        let schema = try ValueSchema(of: Request.self)
        return #expect(throws: WorkerError.self) { try schema.check(value) }
    }

    @Test func inputsThatFitPass() throws {
        let schema = try ValueSchema(of: Request.self)
        try schema.check(["url": "u", "retries": 2, "tags": ["a"], "method": "post"])
        try schema.check(["url": "u", "retries": 2.0, "tags": [:], "headers": [], "body": [1]])
        try schema.check(["url": "u", "retries": 2, "tags": [], "timeout": 3, "proxy": nil])
        try ValueSchema(of: Request.Proxy?.self).check(nil)
        try ValueSchema.record([]).check([])
    }

    @Test func anUnknownFieldIsRefusedWithASuggestion() throws {
        #expect(
            try fault(["urll": "u"])
                == WorkerError(
                    "bad_input", "there is no field 'urll'. Did you mean 'url'?",
                    help:
                        "its fields are url, method, headers, retries, timeout, tags, body, proxy"))
        #expect(
            try fault(["url": "u", "retries": 1, "tags": [], "proxy": ["user": "me"]])
                == WorkerError(
                    "bad_input", "there is no field 'user' at proxy",
                    help: "its fields are host, secure"))
    }

    @Test func aFieldWhereThereAreNoneIsRefused() {
        let error = #expect(throws: WorkerError.self) { try ValueSchema.record([]).check(["a": 1]) }
        #expect(
            error == WorkerError("bad_input", "there is no field 'a'", help: "it has no fields"))
    }

    @Test func aMissingFieldIsRefused() throws {
        #expect(
            try fault(["url": "u"])
                == WorkerError(
                    "bad_input", "the field 'retries' is missing", help: "it is an integer"))
    }

    @Test func aWrongKindIsRefusedWithItsPlace() throws {
        #expect(
            try fault(["url": "u", "retries": 1, "tags": ["a", 2]])?.message
                == "expected a string at tags[2], found an integer")
        #expect(
            try fault(["url": "u", "retries": 1.5, "tags": []])?.message
                == "expected an integer at retries, found a float")
        #expect(
            try fault(["url": "u", "retries": 1, "tags": [], "method": "pst"])?.message
                == #"expected one of "get", "post" at method, found "pst". Did you mean 'post'?"#)
        #expect(try fault("u")?.message == "expected a record, found a string")
    }
}
