import PlainValue
import TestSupport
import Testing

@Suite struct ValuePathTests {
    @Test(
        arguments: [
            ("", []), ("rows", [.key("rows")]),
            ("rows[3].title", [.key("rows"), .index(3), .key("title")]),
            ("[1][2]", [.index(1), .index(2)]),
            (#"["unit price"].net"#, [.key("unit price"), .key("net")]),
            (#"a["end"][""]"#, [.key("a"), .key("end"), .key("")]),
            (#"["1a"]._b2"#, [.key("1a"), .key("_b2")]),
            (#"["\"\\\n\r\t\u{1B}é"]"#, [.key("\"\\\n\r\t\u{1B}é")]),
        ] as [(String, [ValuePath.Component])])
    func pathsAreReadAndWrittenAlike(text: String, components: [ValuePath.Component]) throws {
        let path = ValuePath(components)
        #expect(path.description == text)
        #expect(try ValuePath(parsing: text) == path)
    }

    @Test func reservedWordsNeedNoQuotesToBeRead() throws {
        #expect(try ValuePath(parsing: "a.end") == ValuePath([.key("a"), .key("end")]))
    }

    @Test(arguments: [
        (".a", "column 1: expected a name"), ("a.", "column 3: expected a name"),
        ("a..b", "column 3: expected a name"), ("a b", "column 2: expected '.' or '['"),
        ("1a", "column 1: expected a name"),
        ("a[", "column 3: expected a position or a key in double quotes"),
        ("a[-1]", "column 3: expected a position or a key in double quotes"),
        ("é[1]", "column 1: expected a name"), ("a[1", "column 4: expected ']'"),
        ("a[0]", "column 3: positions count from 1"),
        ("a[99999999999999999999]", "column 3: the position is too large"),
        (#"["a]"#, "column 5: expected '\"'"),
        (#"["\x"]"#, #"column 4: expected an escape such as \n or \u{41}"#),
        (#"["\"#, #"column 4: expected an escape such as \n or \u{41}"#),
        (
            #"["\u{D800}"]"#,
            "column 6: expected the number of a Unicode scalar in hexadecimal digits"
        ),
        (#"["\u41"]"#, "column 5: expected '{'"),
    ]) func faultsAreNamedWithTheirColumn(text: String, message: String) {
        let error = thrown { () throws(ValuePathError) in _ = try ValuePath(parsing: text) }
        #expect(error?.description == message)
    }

    @Test func randomKeysAreReadBack() throws {
        var generator = SeededNumbers.printed(or: 3)
        for _ in 0..<500 {
            let path = ValuePath([.key(generator.string()), .index(2), .key(generator.key())])
            #expect(try ValuePath(parsing: path.description) == path)
        }
    }

    @Test func positionsCountFromOne() throws {
        let value: Value = ["rows": [["id": 10], ["id": 20]]]
        #expect(value[try ValuePath(parsing: "rows[2].id")] == 20)
        #expect(value[try ValuePath(parsing: "rows[3].id")] == nil)
        #expect(value[try ValuePath(parsing: "rows.id")] == nil)
        #expect(value[try ValuePath(parsing: "rows[1].id.x")] == nil)
        #expect(value[ValuePath([.key("rows"), .index(0)])] == nil)
        #expect(value[ValuePath([.key("rows"), .index(.min)])] == nil)
        #expect(value[ValuePath()] == value)
    }

    @Test func assigningReplacesAddsAndRemoves() throws {
        var value: Value = ["rows": [["id": 10], ["id": 20]]]
        value[try ValuePath(parsing: "rows[2].id")] = 21
        value[try ValuePath(parsing: "rows[2].title")] = "new"
        value[try ValuePath(parsing: "rows[1]")] = nil
        #expect(value == ["rows": [["id": 21, "title": "new"]]])
        value[ValuePath()] = [1]
        #expect(value == [1])
        value[ValuePath()] = nil
        #expect(value == .null)
    }

    @Test func assigningIntoWhatIsNotThereChangesNothing() throws {
        let original: Value = ["rows": [1]]
        for text in ["a.b", "rows[2]", "rows[1].x", "rows.x", "[1]", "rows[2].x"] {
            var value = original
            value[try ValuePath(parsing: text)] = 5
            #expect(value == original)
        }
        var value = original
        value[ValuePath([.key("rows"), .index(.min)])] = 5
        #expect(value == original)
    }

    @Test func pathsAreAppended() throws {
        var path = ValuePath([.key("a")])
        path.append(.index(1))
        #expect(path == ValuePath([.key("a")]).appending(.index(1)))
        #expect(path.appending(path).description == "a[1].a[1]")
        #expect(!path.isEmpty)
        #expect(ValuePath().isEmpty)
    }

    @Test func canonicallyEquivalentKeysAreDifferent() {
        #expect(ValuePath([.key("\u{E9}")]) != ValuePath([.key("e\u{301}")]))
    }
}
