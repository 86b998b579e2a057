@testable import PlainValue
import TestSupport
import Testing

@Suite struct ValidationTests {
    private static let samples: [Value] = [
        nil, true, -1, 1000, .int(.max), 2.5, "", "é語😀", [], [:],
        [1, [2, [3, [nil, false]]], "x"],
        ["a": 1, "ab": ["b": "text", "c": [1.5, .int(1 << 40)]], "é": [:]],
        ["rows": [["id": 1, "title": "One"], ["id": 2, "title": "Two"]], "done": true],
        ["long": .string(String(repeating: "語", count: 100))],
    ]

    /// Validates bytes. If they are valid, reads all of them and encodes them again.
    private func check(_ bytes: [UInt8]) throws {
        guard let encoded = try? EncodedValue(validating: bytes) else { return }
        let owned = owned(encoded.value)
        #expect(try owned.encoded().array == bytes)
        #expect(owned == encoded.value)
    }

    /// An equal value without encoded storage.
    private func owned(_ value: Value) -> Value {
        switch value {
        case .list(let list): .list(Value.List(list.map(owned)))
        case .record(let record): .record(Value.Record(record.map { ($0.key, owned($0.value)) }))
        default: value
        }
    }

    @Test(arguments: samples) func everyTruncationIsRefused(sample: Value) throws {
        let bytes = try sample.encoded().array
        for count in 0..<bytes.count {
            let error = thrown { () throws(ValueError) in
                _ = try EncodedValue(validating: bytes.prefix(count))
            }
            #expect(error?.code == .truncated)
        }
    }

    @Test(arguments: samples)
    func everyChangedByteIsRefusedOrReadsAsWhatItSays(sample: Value) throws {
        let bytes = try sample.encoded().array
        for index in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = byte
                try check(changed)
            }
        }
    }

    @Test func randomBytesAreRefusedOrReadAsWhatTheySay() throws {
        var generator = SeededNumbers.printed(or: 7)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<60, using: &generator)
            // Mostly small numbers, so that tags, sizes and offsets are frequent.
            try check(
                (0..<count).map { _ in
                    let byte = UInt8.random(in: 0...255, using: &generator)
                    return Bool.random(using: &generator) ? byte : byte % 20
                })
        }
    }

    @Test func severalChangedBytesAreRefusedOrReadAsWhatTheySay() throws {
        var generator = SeededNumbers.printed(or: 8)
        for _ in 0..<20_000 {
            guard var bytes = try Self.samples.randomElement(using: &generator)?.encoded().array
            else { continue }
            for _ in 0..<Int.random(in: 2..<6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0..<30, using: &generator)
            }
            try check(bytes)
        }
    }

    @Test(
        arguments: [
            ([], "the bytes end inside a value at byte 0"),
            ([0, 0], "bytes follow the end of the value at byte 1"),
            ([0x0B], "11 is not the tag of a value at byte 0"),
            ([0x04, 1, 0, 0, 0], "a number or string is not in its shortest form at byte 0"),
            (
                [0x05, 1, 0, 0, 0, 0, 0, 0, 0],
                "a number or string is not in its shortest form at byte 0"
            ), ([0x06, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], "a float is NaN or infinite at byte 0"),
            ([0x08, 1, 0, 0, 0, 0x61], "a number or string is not in its shortest form at byte 0"),
            ([0x07, 3, 0xED, 0xA0, 0x80], "a string is not valid UTF-8 at byte 2"),
            ([0x09, 10, 0, 0, 0, 0, 0, 0, 0, 0], "a size does not match the content at byte 0"),
            ([0x09, 9, 0, 0, 0, 1, 0, 0, 0], "a size does not match the content at byte 0"),
            ([0x09, 0, 0, 0, 0, 0, 0, 0, 0], "a size does not match the content at byte 0"),
            ([0x09, 200, 0, 0, 0, 0, 0, 0, 0], "the bytes end inside a value at byte 0"),
            (
                [0x09, 14, 0, 0, 0, 1, 0, 0, 0, 0, 8, 0, 0, 0],
                "an offset does not lead to an element at byte 10"
            ),
            ([0x0A, 15, 0, 0, 0, 1, 0, 0, 0, 0, 0, 9, 0, 0, 0], "a key is not a string at byte 9"),
            (
                [
                    0x0A, 25, 0, 0, 0, 2, 0, 0, 0, 7, 1, 0x61, 0, 7, 1, 0x61, 0, 9, 0, 0, 0, 13, 0,
                    0,
                    0,
                ],
                "keys are not sorted and unique at byte 13"
            ),
        ] as [([UInt8], String)])
    func faultsAreNamedWithTheirPlace(bytes: [UInt8], message: String) {
        let error = thrown { () throws(ValueError) in _ = try EncodedValue(validating: bytes) }
        #expect(error?.description == message)
    }

    @Test func depthOfBytesIsLimited() throws {
        var bytes: [UInt8] = [0x00]
        for _ in 0..<129 {
            let size = UInt32(bytes.count + 13)
            let header =
                [0x09] + withUnsafeBytes(of: size.littleEndian) { Array($0) } + [1, 0, 0, 0]
            bytes = header + bytes + [9, 0, 0, 0]
        }
        let error = thrown { () throws(ValueError) in _ = try EncodedValue(validating: bytes) }
        #expect(error?.code == .tooDeep(limit: 128))
        #expect(error?.byteOffset == 128 * 9)
        let inner = bytes.dropFirst(9).dropLast(4)
        #expect(throws: Never.self) { _ = try EncodedValue(validating: inner) }
    }

    @Test func utf8IsCheckedAsSwiftDoes() {
        var generator = SeededNumbers.printed(or: 9)
        let bytes: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
            0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<50_000 {
            let count = Int.random(in: 0..<12, using: &generator)
            let text = (0..<count).map { _ in bytes.randomElement(using: &generator) ?? 0 }
            let isValid = String(validating: text, as: UTF8.self) != nil
            let fault = text.withUnsafeBytes { UTF8Check.firstFault(in: $0) }
            #expect((fault == nil) == isValid)
        }
    }
}
