import PlainValue
import Testing

@Suite struct RecordTests {
    @Test func entriesAreInTheOrderOfTheBytesOfTheirKeys() {
        let record: Value.Record = ["b": 1, "é": 2, "a": 3, "e\u{301}": 4, "Z": 5, "": 6, "ab": 7]
        #expect(record.map(\.key) == ["", "Z", "a", "ab", "b", "e\u{301}", "é"])
        #expect(record.map(\.value) == [6, 5, 3, 7, 1, 4, 2])
    }

    @Test func lastOfDuplicateKeysInALiteralCounts() {
        let record: Value.Record = ["a": 1, "b": 2, "a": 3, "a": 4]
        #expect(record == ["a": 4, "b": 2])
        #expect(record.count == 2)
    }

    @Test func canonicallyEquivalentKeysAreDifferent() {
        let record: Value.Record = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(record.count == 2)
        #expect(record["\u{E9}"] == 1)
        #expect(record["e\u{301}"] == 2)
    }

    @Test func mergingCombinesValuesOfTheSameKey() {
        let left: Value.Record = ["a": 1, "b": 2]
        let right: Value.Record = ["b": 3, "c": 4]
        #expect(left.merging(right) == ["a": 1, "b": 3, "c": 4])
        #expect(
            left.merging(right, uniquingKeysWith: { old, _ in old }) == ["a": 1, "b": 2, "c": 4])
        var merged = left
        merged.merge(right)
        #expect(merged == left.merging(right))
    }

    @Test func errorOfCombiningIsPassedOn() {
        struct Refused: Error {}
        let left: Value.Record = ["a": 1]
        let error = thrown { () throws(Refused) in
            _ = try left.merging(
                left, uniquingKeysWith: { _, _ throws(Refused) in throw Refused() })
        }
        #expect(error != nil)
    }

    @Test(arguments: [false, true]) func lookupFindsEveryKeyAndNoOther(isEncoded: Bool) throws {
        let keys = (0..<50).map { "key\($0 * 2)" }
        var value = Value.record(Value.Record(keys.map { ($0, .string($0)) }))
        if isEncoded { value = try value.reencoded() }
        let record = try #require(value.record)
        for key in keys {
            #expect(record[key] == .string(key))
            let index = try #require(record.index(forKey: key))
            #expect(record[index].key == key)
            #expect(record.keys[index] == key)
        }
        for key in ["", "key1", "key", "zzz"] {
            #expect(record[key] == nil)
            #expect(record.index(forKey: key) == nil)
        }
    }

    @Test(arguments: [false, true])
    func removingAndUpdatingGiveThePreviousValue(isEncoded: Bool) throws {
        var value: Value = ["a": 1, "b": nil]
        if isEncoded { value = try value.reencoded() }
        var record = try #require(value.record)
        #expect(record.removeValue(forKey: "c") == nil)
        #expect(record.updateValue(2, forKey: "a") == 1)
        #expect(record.updateValue(3, forKey: "c") == nil)
        #expect(record.removeValue(forKey: "b") == .some(.null))
        #expect(record == ["a": 2, "c": 3])
        record["n", default: 0] = 7
        #expect(record["n", default: 0] == 7)
        #expect(record["m", default: 1] == 1)
    }

    @Test func recordsAreMadeOfPairsDictionariesAndEntries() {
        let record = Value.Record([("b", 1), ("a", 2), ("b", 3)])
        #expect(record == ["a": 2, "b": 3])
        let dictionary: [String: Value] = ["b": 3, "a": 2]
        #expect(Value.Record(dictionary) == record)
        #expect(Value.Record(record.filter { $0.key == "a" }) == ["a": 2])
    }

    @Test func mappingValuesKeepsTheKeys() {
        let record: Value.Record = ["a": 1, "b": 2]
        #expect(record.mapValues { .list([$0]) } == ["a": [1], "b": [2]])
        #expect(Array(record.values) == [1, 2])
    }
}
