import PlainValue
import TestSupport
import Testing

@Suite struct JSONParsingTests {
    private func error(_ text: String, _ limits: ValueLimits = .standard) -> JSONError? {
        thrown { () throws(JSONError) in _ = try Value(json: text, limits: limits) }
    }

    @Test(
        arguments: [
            ("null", nil), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)), ("0.0", 0.0),
            ("-0.0", -0.0), ("1e2", 100.0), ("1E-2", 0.01), ("12.5e+1", 125.0),
            ("9223372036854775808.0", 9_223_372_036_854_775_808.0), ("0.1", 0.1),
            ("123456789012345678901234567890e-10", 12_345_678_901_234_567_890.1234567890),
            ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
            ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-400", 0.0), (#""""#, ""),
            (#""a\"\\\/\b\f\n\r\t\u0041\u00e9""#, "a\"\\/\u{8}\u{C}\n\r\tAé"),
            (#""\ud83d\uDE00 \u0000""#, "😀 \u{0}"),
            ("\"plain text of some length, 語 and 😀\"", "plain text of some length, 語 and 😀"),
            ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]),
            ("[1,[2],\n{\"a\" : [ ] }]", [1, [2], ["a": []]]),
            (
                #"{"b":1,"a":2,"":3,"ab":{"z":1,"y":2}}"#,
                ["": 3, "a": 2, "ab": ["y": 2, "z": 1], "b": 1]
            ),
        ] as [(String, Value)])
    func textIsReadAsItsValue(text: String, value: Value) throws {
        #expect(try Value(json: text) == value)
        #expect(try Value(json: Array(text.utf8)) == value)
        #expect(try Value(json: text).reencoded() == value)
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end of the text"),
        ("  ", "line 1, column 3: expected a value, found the end of the text"),
        ("nul", "line 1, column 1: expected a value, found 'n'"),
        ("nan", "line 1, column 1: expected a value, found 'n'"),
        ("1 2", "line 1, column 3: expected the end of the text, found '2'"),
        ("01", "line 1, column 2: expected the end of the text, found '1'"),
        ("-", "line 1, column 2: expected a digit, found the end of the text"),
        ("+1", "line 1, column 1: expected a value, found '+'"),
        ("1.", "line 1, column 3: expected a digit, found the end of the text"),
        (".5", "line 1, column 1: expected a value, found '.'"),
        ("1e", "line 1, column 3: expected a digit, found the end of the text"),
        ("[1e+]", "line 1, column 5: expected a digit, found ']'"),
        ("[1,]", "line 1, column 4: expected a value, found ']'"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        ("[1", "line 1, column 3: expected ',' or ']', found the end of the text"),
        ("{\"a\":1,}", "line 1, column 8: expected a key in double quotes, found '}'"),
        ("{a:1}", "line 1, column 2: expected a key in double quotes, found 'a'"),
        ("{'a':1}", "line 1, column 2: expected a key in double quotes, found \"'\""),
        ("{\"a\" 1}", "line 1, column 6: expected ':', found '1'"),
        ("{\n  \"é\": 1\n  \"b\": 2\n}", "line 3, column 3: expected ',' or '}', found '\"'"),
        ("\"abc", "line 1, column 5: expected '\"', found the end of the text"),
        ("\"a\nb\"", "line 1, column 3: a control character in a string has to be escaped"),
        (#""é\x""#, #"line 1, column 4: expected an escape such as \n or \u0041, found 'x'"#),
        (
            #""\"#,
            #"line 1, column 3: expected an escape such as \n or \u0041, found the end of the text"#
        ), (#""\u12g4""#, "line 1, column 6: expected four hexadecimal digits, found 'g'"),
        (#""\ud800""#, "line 1, column 2: an escaped surrogate has no other half"),
        (#""ab\udc00""#, "line 1, column 4: an escaped surrogate has no other half"),
        (#""\ud800\u0041""#, "line 1, column 2: an escaped surrogate has no other half"),
        (#""\ud800\n""#, "line 1, column 2: an escaped surrogate has no other half"),
        ("9223372036854775808", "line 1, column 1: an integer does not fit 64 bits"),
        ("[\n-9223372036854775809]", "line 2, column 1: an integer does not fit 64 bits"),
        ("99999999999999999999999", "line 1, column 1: an integer does not fit 64 bits"),
        ("[1e400]", "line 1, column 2: a number is too large for a float"),
        ("-1e999999999999999999999", "line 1, column 1: a number is too large for a float"),
        (#"{"a":1,"a":2}"#, #"line 1, column 8: the key "a" appears twice"#),
        (#"{"c":1,"a":2,"b":3,"c":4}"#, #"line 1, column 20: the key "c" appears twice"#),
        (
            "{\"c\":1,\n \"a\":{\"y\":1,\"x\":1,\"y\":2}}",
            #"line 2, column 19: the key "y" appears twice"#
        ), ("\u{1B}[0m", #"line 1, column 1: expected a value, found '\u{1B}'"#),
        ("\u{FEFF}\u{FEFF}1", #"line 1, column 2: expected a value, found '\u{FEFF}'"#),
        (" \u{FEFF}1", #"line 1, column 2: expected a value, found '\u{FEFF}'"#),
    ]) func faultsAreNamedWithLineAndColumn(text: String, message: String) {
        #expect(error(text)?.description == message)
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        let bytes: [UInt8] =
            Array("[\"plain text \"".utf8.dropLast()) + [0xC3, 0x28] + Array("\"]".utf8)
        let error = thrown { () throws(JSONError) in _ = try Value(json: bytes) }
        #expect(error?.description == "line 1, column 14: the bytes are not UTF-8")
        let bare = thrown { () throws(JSONError) in _ = try Value(json: [0xFF] as [UInt8]) }
        #expect(
            bare?.description
                == "line 1, column 1: expected a value, found a byte that is not UTF-8")
    }

    @Test func limitsAreKept() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(
            error(deep)?.description
                == "line 1, column 129: lists and records are nested more than 128 deep")
        let fitting = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(error(fitting) == nil)
        #expect(error("[1,2]", ValueLimits(count: 3)) == nil)
        #expect(
            error("[1,2,3]", ValueLimits(count: 3))?.description
                == "line 1, column 6: there are more than 3 values")
        #expect(error("\"0123456789\"", ValueLimits(byteCount: 12)) == nil)
        for text in ["\"0123456789\"", "\"012345678\\n\"", "[1]"] {
            #expect(error(text, ValueLimits(byteCount: 11))?.code == .limit(.tooLarge(limit: 11)))
        }
    }

    @Test func anyTruncationAndAnyChangedByteIsReadOrRefused() throws {
        let text = #"{"b":[1,-2.5e3,true,null,"\ud83d\ude00é\n"],"a":{"x":{},"w":[]},"aa":false}"#
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            #expect(throws: JSONError.self) { try Value(json: bytes.prefix(index)) }
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = byte
                guard let value = try? Value(json: changed) else { continue }
                #expect(try value.reencoded() == value)
                #expect(try Value(json: value.json) == value)
            }
        }
    }

    @Test func floatsAreReadAsSwiftReadsThem() throws {
        var generator = SeededNumbers.printed(or: 11)
        for _ in 0..<20_000 {
            let digits = String(generator.next() >> UInt64.random(in: 0..<64, using: &generator))
            let point = Int.random(in: 0..<digits.count, using: &generator)
            let exponent = Int.random(in: -340...300, using: &generator)
            let whole = point == 0 ? "0" : String(digits.prefix(point))
            let text = "\(whole).\(digits.dropFirst(point))e\(exponent)"
            guard let float = Double(text), float.isFinite else { continue }
            #expect(try Value(json: text) == .double(float))
        }
    }
}
