@testable import PlainValue
import Testing

/// An encoding's memory is reused only when nobody reads it.
@Suite struct EncodingPairTests {
    private var pair = EncodingPair()

    private mutating func add(_ value: Value) throws -> Value {
        try value.encoded().withUnsafeBytes { Value(copyingTrustedContainer: $0, after: &pair) }
    }

    @Test mutating func valuesThatAreKeptStayAsTheyAre() throws {
        var kept: [Value] = []
        for number in 0..<50 { kept.append(try add(["count": .int(number)])) }
        #expect(kept == (0..<50).map { ["count": .int($0)] })
    }

    @Test mutating func partsThatAreKeptStayAsTheyAre() throws {
        var kept: [Value] = []
        for number in 0..<50 {
            let whole = try add(["rows": [["id": .int(number)]]])
            kept.append(try #require(whole.record?["rows"]?.list?.first))
        }
        #expect(kept == (0..<50).map { ["id": .int($0)] })
    }

    @Test mutating func memoryThatNobodyReadsIsUsedAgain() throws {
        var places: Set<UnsafeRawPointer> = []
        for number in 0..<100 {
            let value = try add(["count": .int(number % 100), "name": "n"])
            places.insert(try #require(value.borrowedEncoding?.baseAddress))
            #expect(value == ["count": .int(number % 100), "name": "n"])
        }
        #expect(places.count == 2)
    }

    @Test mutating func shorterAndLongerValuesFollowEachOther() throws {
        for length in [3, 200, 1, 60, 61, 59, 1000, 2, 255, 256, 257, 0, 12] {
            let value: Value = [.string(String(repeating: "é", count: length))]
            #expect(try add(value) == value)
            #expect(try add([.int(length)]) == [.int(length)])
        }
    }
}
