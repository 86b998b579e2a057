@testable import PlainValue
import TestSupport
import Testing

@Suite struct EncodingTests {
    @Test(
        arguments: [
            (Value.null, [0x00]), (false, [0x01]), (true, [0x02]), (-128, [0x03, 0x80]),
            (127, [0x03, 0x7F]), (128, [0x04, 0x80, 0, 0, 0]),
            (-129, [0x04, 0x7F, 0xFF, 0xFF, 0xFF]),
            (.int(1 << 31), [0x05, 0, 0, 0, 0x80, 0, 0, 0, 0]),
            (.int(.min), [0x05, 0, 0, 0, 0, 0, 0, 0, 0x80]),
            (1.5, [0x06, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F]), ("é", [0x07, 2, 0xC3, 0xA9]),
            ([], [0x09, 9, 0, 0, 0, 0, 0, 0, 0]), ([:], [0x0A, 9, 0, 0, 0, 0, 0, 0, 0]),
            ([nil, 1], [0x09, 20, 0, 0, 0, 2, 0, 0, 0, 0x00, 0x03, 1, 9, 0, 0, 0, 10, 0, 0, 0]),
            (
                ["b": 1, "a": true],
                [
                    0x0A, 26, 0, 0, 0, 2, 0, 0, 0, 0x07, 1, 0x61, 0x02, 0x07, 1, 0x62, 0x03, 1,
                    9, 0, 0, 0, 13, 0, 0, 0,
                ]
            ),
        ] as [(Value, [UInt8])])
    func encodingIsThatOfTheFormat(value: Value, bytes: [UInt8]) throws {
        #expect(try value.encoded().array == bytes)
        #expect(try EncodedValue(validating: bytes).value == value)
    }

    @Test func longStringsHaveAWideLength() throws {
        let short = Value.string(String(repeating: "a", count: 255))
        let long = Value.string(String(repeating: "a", count: 256))
        #expect(try Array(short.encoded().array.prefix(2)) == [0x07, 255])
        #expect(try Array(long.encoded().array.prefix(5)) == [0x08, 0, 1, 0, 0])
        #expect(try long.reencoded() == long)
    }

    @Test(arguments: SeededNumbers.seeds(1...60))
    func decodingGivesWhatWasEncoded(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let value = generator.value()
            let encoded = try value.encoded()
            #expect(encoded.value == value)
            #expect(try EncodedValue(validating: encoded.array).array == encoded.array)
            #expect(try encoded.value.encoded() == encoded)
            let trusted = encoded.withUnsafeBytes { EncodedValue(copyingTrusted: $0) }
            #expect(trusted == encoded)
            #expect(trusted.hashValue == encoded.hashValue)
            #expect(trusted.value == value)
        }
    }

    @Test func encodedPartsAreSplicedIntoOwnedValues() throws {
        let part = try Value.record(["id": 1, "tags": ["a", "b"]]).reencoded()
        let whole: Value = ["left": part, "right": [part, 2]]
        let expected: Value = [
            "left": ["id": 1, "tags": ["a", "b"]], "right": [["id": 1, "tags": ["a", "b"]], 2],
        ]
        #expect(try whole.encoded() == expected.encoded())
    }

    @Test func partsLendTheirBytesWithoutCopying() throws {
        let whole = try Value.list([["id": 1], [2]]).encoded()
        let rows = try #require(whole.value.list)
        let start = whole.withUnsafeBytes { $0.baseAddress }
        for (row, expected) in zip(rows, [["id": 1], [2]] as [Value]) {
            let address = try row.withEncodedBytes { $0.baseAddress }
            let distance = try #require(address) - #require(start)
            #expect((0..<whole.byteCount).contains(distance))
            #expect(try row.withEncodedBytes { Array($0) } == expected.encoded().array)
            let encoded = try row.encoded()
            #expect(encoded.withUnsafeBytes { $0.baseAddress } == address)
            #expect(encoded.byteCount == (try expected.encoded().byteCount))
            #expect(encoded.value.isIdentical(to: row))
        }
        #expect(try Value.int(5).withEncodedBytes { Array($0) } == [0x03, 5])
    }

    @Test func nonFiniteNumbersAreRefusedWithTheirPath() {
        let value: Value = ["rows": [["price": 1], ["unit price": .double(.nan)]]]
        let error = thrown { () throws(ValueError) in _ = try value.encoded() }
        #expect(error?.code == .notFinite)
        #expect(error?.path.description == #"rows[2]["unit price"]"#)
        #expect(error?.description == #"a float is NaN or infinite at rows[2]["unit price"]"#)
        let root = thrown { () throws(ValueError) in _ = try Value.double(.infinity).encoded() }
        #expect(root?.description == "a float is NaN or infinite")
    }
}
