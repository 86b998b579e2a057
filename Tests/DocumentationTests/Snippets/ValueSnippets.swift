import PlainValue
import Testing

/// The code of the page of PlainValue, line for line.
@Suite struct ValueSnippets {
    private let order: Value = [
        "id": 7, "lines": [["title": "tea", "price": 4.5], ["title": "milk", "price": 1.2]],
    ]

    @Test func valuesAreLiteralsAndAreRead() {
        let order: Value = [
            "id": 7, "lines": [["title": "tea", "price": 4.5], ["title": "milk", "price": 1.2]],
        ]
        print(order["id"]?.int ?? 0)  // 7
        print(order["lines"]?[0]?["title"]?.string ?? "")  // tea
        print(order["lines"]?.list?.count ?? 0)  // 2
        print(order["total"] == nil)  // true
        #expect(order["id"]?.int == 7)
        #expect(order["lines"]?[0]?["title"]?.string == "tea")
        #expect(order["lines"]?.list?.count == 2)
        #expect(order["total"] == nil)
    }

    @Test func valuesAreChangedInPlaceAndByPaths() throws {
        var order = order
        order["id"] = 8
        order["lines"]?[1] = nil
        let price = try ValuePath(parsing: "lines[1].price")
        order[price] = 5.0
        print(order)  // { id = 8, lines = { { price = 5.0, title = "tea" } } }
        #expect("\(order)" == #"{ id = 8, lines = { { price = 5.0, title = "tea" } } }"#)
        #expect(order == ["id": 8, "lines": [["title": "tea", "price": 5.0]]])
    }

    @Test func jsonIsReadAndWritten() throws {
        let settings = try Value(json: #"{"port": 8080, "hosts": ["a", "b"]}"#)
        print(settings["port"] == 8080)  // true
        print(settings.json)  // {"hosts":["a","b"],"port":8080}

        do {
            _ = try Value(json: #"{"port": 8080, "port": 8081}"#)
        } catch {
            print(error)  // line 1, column 16: the key "port" appears twice
        }
        #expect(settings.json == #"{"hosts":["a","b"],"port":8080}"#)
        #expect(throws: JSONError.self) { try Value(json: #"{"port": 8080, "port": 8081}"#) }
        do {
            _ = try Value(json: #"{"port": 8080, "port": 8081}"#)
        } catch {
            #expect("\(error)" == #"line 1, column 16: the key "port" appears twice"#)
        }
    }

    @Test func textsOfStrangersHaveLimits() {
        let text = "[[[[1]]]]"
        let limits = ValueLimits(depth: 3, count: 100, byteCount: 4096)
        do {
            _ = try Value(json: text, limits: limits)
        } catch {
            print(error.line, error.column, error.code)
        }
        #expect(throws: JSONError.self) { try Value(json: text, limits: limits) }
    }

    @Test func typesAreConverted() throws {
        struct Line: Codable, Equatable {
            var title: String
            var price: Double
        }

        let lines = try ValueDecoder().decode([Line].self, from: order["lines"] ?? [])
        let value = try ValueEncoder().encode(Line(title: "salt", price: 0.9))
        #expect(lines == [Line(title: "tea", price: 4.5), Line(title: "milk", price: 1.2)])
        #expect(value == ["title": "salt", "price": 0.9])
    }

    @Test func differencesAreFoundAndApplied() throws {
        let old: Value = ["count": 1, "rows": ["a", "b"]]
        let new: Value = ["count": 2, "rows": ["a", "x", "b"]]
        let changes = old.differences(to: new)
        for change in changes { print(change) }  // ~ count = 1 → 2, and + rows[2] = "x"
        print(try old.applying(changes) == new)  // true
        #expect(try old.applying(changes) == new)
        #expect(changes.map(\.description) == ["~ count = 1 → 2", #"+ rows[2] = "x""#])
    }

    @Test func bytesKeepAValue() throws {
        let encoded = try order.encoded()
        let bytes = encoded.withUnsafeBytes { Array($0) }

        // Bytes from elsewhere are checked once. What is read then reads from the bytes.
        let copy = try EncodedValue(validating: bytes).value
        #expect(copy == order)
    }
}
