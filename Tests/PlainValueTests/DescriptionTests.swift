import PlainValue
import Testing

@Suite struct DescriptionTests {
    /// Lua reads the decimal digits of the least integer as a float.
    @Test func theLeastIntegerIsWrittenAsLuaReadsIt() {
        #expect(Value.int(.min).description == "0x8000000000000000")
        #expect(Value.int(.min + 1).description == "-9223372036854775807")
        #expect(Value.int(.max).description == "9223372036854775807")
        #expect((["n": [.int(.min)]] as Value).description == "{ n = { 0x8000000000000000 } }")
    }

    @Test func valuesPrintAsLua() {
        let value: Value = [
            "sku": "mug-07", "price": 12, "rate": 0.5, "items": [1, 2], "empty": [:], "none": [],
            "end": true, "unit price": nil,
        ]
        #expect(
            value.description
                == #"{ empty = {}, ["end"] = true, items = { 1, 2 }, none = {}, price = 12, "#
                + #"rate = 0.5, sku = "mug-07", ["unit price"] = null }"#)
        #expect("\(Value.List([1, "a"]))" == #"{ 1, "a" }"#)
        #expect("\(Value.Record(["a": 1.0]))" == "{ a = 1.0 }")
    }

    @Test func nothingRawReachesATerminal() {
        let text = "\u{1B}[31m\u{7}\u{9B}\"\\\n\t\u{202E}\u{200B}\u{FEFF}\u{E000}é語😀"
        #expect(
            Value.string(text).description
                == #""\u{1B}[31m\u{7}\u{9B}\"\\\n\t\u{202E}\u{200B}\u{FEFF}\u{E000}é語😀""#)
        #expect(Value.record(["\u{1B}": 1]).description == #"{ ["\u{1B}"] = 1 }"#)
    }

    @Test(arguments: [
        "long enough", "\u{1}\u{2}plain\u{7F}é語\"\\\n", "é", "\u{1}", "e\u{301}\"\u{301}x", "",
    ]) func summaryIsTheBeginningOfTheDescription(_ text: String) {
        let value: Value = ["items": [1, 2, "three"], "name": .string(text)]
        let whole = value.description
        for length in 0...whole.unicodeScalars.count + 2 {
            let summary = value.summary(maxLength: length)
            #expect(summary.unicodeScalars.count <= length)
            if length >= whole.unicodeScalars.count {
                #expect(summary == whole)
            } else if length > 0 {
                #expect(
                    summary == whole.unicodeScalars.prefix(length - 1).map(String.init).joined()
                        + "…")
            }
        }
        #expect(value.summary(maxLength: -1) == "")
    }
}
