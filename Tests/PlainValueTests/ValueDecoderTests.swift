import PlainValue
import Testing

@Suite struct ValueDecoderTests {
    private struct Row: Decodable {
        var title: String
        var count: Int8?
    }

    private struct Page: Decodable { var rows: [Row] }

    private func fault<T: Decodable>(_ type: T.Type, _ value: Value) -> DecodingError.Context? {
        do {
            _ = try ValueDecoder().decode(type, from: value)
            return nil
        } catch DecodingError.typeMismatch(_, let context) {
            return context
        } catch DecodingError.valueNotFound(_, let context) {
            return context
        } catch DecodingError.keyNotFound(_, let context) {
            return context
        } catch DecodingError.dataCorrupted(let context) {
            return context
        } catch { return nil }
    }

    @Test func faultsAreNamedWithTheirPath() {
        let good: Value = ["title": "x"]
        let cases: [(Value, String)] = [
            (
                ["rows": [good, good, ["title": 1]]],
                "expected a string at rows[3].title, found an integer"
            ), (["rows": [good, [:]]], #"expected a key "title" at rows[2], found none"#),
            (["rows": [["title": nil]]], "expected a string at rows[1].title, found null"),
            (["rows": [["title": "x", "count": 300]]], "300 at rows[1].count does not fit Int8"),
            (
                ["rows": [["title": "x", "count": 1.5]]],
                "expected an integer at rows[1].count, found a float"
            ), (["rows": [5]], "expected a record at rows[1], found an integer"),
            (["rows": ["a": 1]], "expected a list at rows, found a record"),
            ([1], "expected a record, found a list"), ([:], #"expected a key "rows", found none"#),
        ]
        for (value, message) in cases {
            #expect(fault(Page.self, value)?.debugDescription == message)
        }
        let context = fault(Page.self, ["rows": [["title": 1]]])
        #expect(context?.codingPath.map(\.stringValue) == ["rows", "0", "title"])
        #expect(context?.codingPath.map(\.intValue) == [nil, 0, nil])
    }

    @Test func missingElementIsNamedWithItsPosition() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                _ = try list.decode(Int.self)
            }
        }
        #expect(
            fault([String: Pair].self, ["p": [1]])?.debugDescription
                == "expected an element at p[2], found the end of the list")
    }

    @Test func failedElementIsReadAgain() throws {
        struct Either: Decodable {
            var text: String
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                #expect(throws: DecodingError.self) { try list.decode(Int.self) }
                #expect(list.currentIndex == 0)
                text = try list.decode(String.self)
            }
        }
        #expect(try ValueDecoder().decode(Either.self, from: ["x"]).text == "x")
    }

    @Test func numbersAreReadAsTheNumberTheyAre() throws {
        let decoder = ValueDecoder()
        #expect(try decoder.decode(Double.self, from: 3) == 3.0)
        #expect(try decoder.decode(Float.self, from: 3) == 3.0)
        #expect(try decoder.decode(Int.self, from: 3.0) == 3)
        #expect(try decoder.decode([UInt8].self, from: [0, 255.0]) == [0, 255])
        #expect(fault(UInt.self, -1)?.debugDescription == "-1 does not fit UInt")
        #expect(fault(Int.self, 1e300)?.debugDescription == "1e+300 does not fit Int")
        #expect(fault(Float.self, 1e300)?.debugDescription == "1e+300 does not fit Float")
        #expect(
            fault(Int.self, .double(.nan))?.debugDescription
                == "expected an integer, found a float")
        #expect(fault(Double.self, "1")?.debugDescription == "expected a number, found a string")
        #expect(fault(Bool.self, 1)?.debugDescription == "expected a boolean, found an integer")
    }

    @Test func emptyTableIsAListOrARecord() throws {
        let decoder = ValueDecoder()
        #expect(try decoder.decode([Int].self, from: [:]) == [])
        #expect(try decoder.decode([String: Int].self, from: []) == [:])
        #expect(try decoder.decode(Value.List.self, from: [:]) == [])
        #expect(try decoder.decode(Value.Record.self, from: []) == [:])
        #expect(
            fault(Value.Record.self, [1])?.debugDescription == "expected a record, found a list")
    }

    @Test func nullAndMissingKeysAreNil() throws {
        let rows = try ValueDecoder().decode(
            [Row].self, from: [["title": "a"], ["title": "b", "count": nil]])
        #expect(rows.map(\.count) == [nil, nil])
    }
}
