@testable import PlainValue
import Testing

@Suite struct LimitTests {
    private func nested(_ depth: Int) -> Value {
        var value: Value = []
        for _ in 1..<depth { value = [value] }
        return value
    }

    private func encodingError(_ value: Value, _ limits: ValueLimits = .standard) -> ValueError? {
        thrown { () throws(ValueError) in _ = try value.encoded(limits: limits) }
    }

    @Test func limitsOutOfRangeBecomeTheNearestInRange() {
        let low = ValueLimits(depth: -1, count: 0, byteCount: 0)
        #expect(low == ValueLimits(depth: 0, count: 1, byteCount: 1))
        let high = ValueLimits(depth: 1000, byteCount: .max)
        #expect(high.depth == 160)
        #expect(high.byteCount == 2_147_483_647)
    }

    @Test func depthIsLimited() throws {
        #expect(try nested(128).reencoded() == nested(128))
        let error = encodingError(nested(129))
        #expect(error?.code == .tooDeep(limit: 128))
        #expect(error?.path.components.count == 128)
        #expect(encodingError([1], ValueLimits(depth: 0))?.code == .tooDeep(limit: 0))
        #expect(encodingError(1, ValueLimits(depth: 0)) == nil)
    }

    @Test func depthOfSplicedPartsCounts() throws {
        let part = try nested(100).reencoded()
        var value = part
        for _ in 0..<28 { value = [value] }
        #expect(encodingError(value) == nil)
        let error = encodingError([value])
        #expect(error?.code == .tooDeep(limit: 128))
        #expect(error?.path.components.count == 29)
        let wide = try Value.list(Value.List(repeating: [1, 2], count: 100)).reencoded()
        #expect(encodingError([wide], ValueLimits(depth: 3)) == nil)
        #expect(encodingError([wide], ValueLimits(depth: 2))?.code == .tooDeep(limit: 2))
        #expect(encodingError(wide, ValueLimits(depth: 1))?.code == .tooDeep(limit: 1))
    }

    @Test func countIsLimitedWhateverTheStorage() throws {
        let owned: Value = [1, ["a": 2, "b": [3, 4]], "text of some length, to take up bytes"]
        let encoded = try owned.reencoded()
        for value in [owned, encoded, [encoded], [owned]] as [Value] {
            let count = value.list?.count == 1 ? 9 : 8
            #expect(encodingError(value, ValueLimits(count: count)) == nil)
            let error = encodingError(value, ValueLimits(count: count - 1))
            #expect(error?.code == .tooManyValues(limit: count - 1))
        }
        let bytes = try owned.encoded().array
        let error = thrown { () throws(ValueError) in
            _ = try EncodedValue(validating: bytes, limits: ValueLimits(count: 7))
        }
        #expect(error?.code == .tooManyValues(limit: 7))
    }

    @Test func byteCountIsLimitedWhateverTheStorage() throws {
        let owned: Value = ["a": "some text", "b": [1, 2, 3]]
        let encoded = try owned.reencoded()
        for value in [owned, encoded, [owned], [encoded], "just some text"] as [Value] {
            let count = try value.encoded().byteCount
            #expect(encodingError(value, ValueLimits(byteCount: count)) == nil)
            let error = encodingError(value, ValueLimits(byteCount: count - 1))
            #expect(error?.code == .tooLarge(limit: count - 1))
        }
        let bytes = try owned.encoded().array
        let error = thrown { () throws(ValueError) in
            _ = try EncodedValue(validating: bytes, limits: ValueLimits(byteCount: 10))
        }
        #expect(error?.description == "the encoding takes more than 10 bytes at byte 10")
    }
}
