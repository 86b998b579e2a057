import PlainValue
import TestSupport
import Testing

@Suite struct JSONWritingTests {
    private static let order: Value = [
        "sku": "mug-07", "price": 12.0, "count": 3, "tags": ["new", nil, true], "none": [],
        "empty": [:],
    ]

    @Test func compactJSONHasSortedKeysAndNoSpaces() {
        #expect(
            Self.order.json
                == #"{"count":3,"empty":{},"none":[],"price":12.0,"sku":"mug-07","tags":["new",null,true]}"#
        )
    }

    @Test func prettyJSONIsIndentedByTwoSpaces() {
        #expect(
            Self.order.prettyJSON == """
                {
                  "count": 3,
                  "empty": {},
                  "none": [],
                  "price": 12.0,
                  "sku": "mug-07",
                  "tags": [
                    "new",
                    null,
                    true
                  ]
                }
                """)
    }

    @Test func writingAddsToWhatIsThere() {
        var text = "order: "
        Value.list([1]).write(json: .pretty, into: &text)
        #expect(text == "order: [\n  1\n]")
        var bytes = Array("x".utf8)
        Value.list([1, 2]).write(json: .compact, into: &bytes)
        #expect(bytes == Array("x[1,2]".utf8))
    }

    @Test func charactersThatCouldActAreEscaped() {
        let text = "a\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1B}\u{7F}\u{80}\u{9F}\u{A0}é\u{2028}\u{2029}語😀"
        let json =
            #""a\"\\/\b\f\n\r\t\u0000\u001b\u007f\u0080\u009f"# + "\u{A0}é"
            + #"\u2028\u2029"# + "語😀\""
        #expect(Value.string(text).json == json)
    }

    @Test func escapesAreFoundAtEveryOffset() throws {
        for special in ["\"", "\\", "\n", "\u{7F}", "\u{85}", "\u{2028}", "é", "😀"] {
            for count in 0..<20 {
                let text =
                    String(repeating: "x", count: count) + special
                    + String(repeating: "y", count: 19 - count)
                let json = Value.string(text).json
                #expect(try Value(json: json) == .string(text))
                #expect(json.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
                #expect(!json.unicodeScalars.contains("\u{85}"))
                #expect(!json.unicodeScalars.contains("\u{2028}"))
            }
        }
    }

    @Test(
        arguments: [
            (0, "0"), (7, "7"), (-10, "-10"), (99, "99"), (100, "100"), (123_456, "123456"),
            (.int(.max), "9223372036854775807"), (.int(.min), "-9223372036854775808"),
            (1.0, "1.0"), (-0.0, "-0.0"), (1e16, "1e+16"), (0.1, "0.1"),
            (.double(.leastNonzeroMagnitude), "5e-324"), (.double(.nan), "null"),
            (.double(-.infinity), "null"),
        ] as [(Value, String)])
    func numbersKeepTheirKind(value: Value, json: String) {
        #expect(value.json == json)
    }

    @Test(arguments: SeededNumbers.seeds(1...60))
    func writtenValuesAreReadBackEqual(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let value = generator.value()
            #expect(try Value(json: value.json) == value)
            #expect(try Value(json: value.prettyJSON) == value)
            let read = try Value(json: value.json)
            #expect(read.json == value.json)
            #expect(try read.encoded() == value.encoded())
        }
    }
}
