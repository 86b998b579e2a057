import PlainValue
import Testing

@Suite struct ValueTests {
    @Test func literalsMakeEveryKind() {
        let name = "mug"
        let value: Value = [
            "null": nil, "bool": true, "int": 1, "double": 1.5, "string": "x\(name)",
            "list": [1, "two"], "record": ["a": [:]],
        ]
        #expect(value["null"] == .null)
        #expect(value["bool"] == .bool(true))
        #expect(value["int"] == .int(1))
        #expect(value["double"] == .double(1.5))
        #expect(value["string"] == .string("xmug"))
        #expect(value["list"] == .list([.int(1), .string("two")]))
        #expect(value["record"] == .record(["a": .record([:])]))
    }

    @Test func accessorsGiveNilForOtherKinds() {
        let one: Value = 1
        #expect(one.int == 1)
        #expect(one.double == nil)
        #expect(one.number == 1.0)
        #expect(one.string == nil)
        #expect(one.bool == nil)
        #expect(one.list == nil)
        #expect(one.record == nil)
        #expect(!one.isNull)
        let half: Value = 0.5
        #expect(half.double == 0.5)
        #expect(half.number == 0.5)
        #expect(half.int == nil)
        #expect(Value.null.isNull)
        #expect(Value.string("1").number == nil)
    }

    @Test func kindsReadInASentence() {
        let values: [Value] = [nil, true, 1, 1.5, "", [], [:]]
        #expect(
            values.map { "\($0.kind)" } == [
                "null", "a boolean", "an integer", "a float", "a string", "a list", "a record",
            ])
    }

    @Test func equalityIsThatOfEncodings() {
        #expect(Value.int(1) != .double(1))
        #expect(Value.double(0) != .double(-0.0))
        #expect(Value.double(.nan) == .double(.nan))
        #expect(Value.string("\u{E9}") != .string("e\u{301}"))
        #expect(Value.list([]) != .record([:]))
        #expect(Value.null != .bool(false))
    }

    @Test func keyOfARecordIsReadAssignedAndRemoved() {
        var value: Value = ["a": 1]
        #expect(value["b"] == nil)
        value["b"] = ["c": 2]
        value["b"]?["c"] = 3
        #expect(value == ["a": 1, "b": ["c": 3]])
        value["a"] = nil
        #expect(value == ["b": ["c": 3]])
        value["b"] = .null
        #expect(value == ["b": nil])
    }

    @Test func assigningIntoAnotherKindChangesNothing() {
        var value: Value = 1
        value["a"] = 2
        value[0] = 2
        #expect(value == 1)
        var list: Value = [1]
        list["a"] = 2
        list[1] = 2
        list[-1] = 2
        #expect(list == [1])
    }

    @Test func elementOfAListIsReadAssignedAndRemoved() {
        var value: Value = [1, [2], 3]
        #expect(value[0] == 1)
        #expect(value[3] == nil)
        #expect(value[-1] == nil)
        value[1]?[0] = 4
        value[2] = 5
        #expect(value == [1, [4], 5])
        value[0] = nil
        #expect(value == [[4], 5])
    }

    @Test func changingACopyLeavesTheOriginal() throws {
        let original: Value = ["rows": [["id": 1], ["id": 2]]]
        for source in [original, try original.reencoded()] {
            var copy = source
            copy["rows"]?[1]?["id"] = 3
            #expect(copy == ["rows": [["id": 1], ["id": 3]]])
            #expect(source == original)
        }
    }

    @Test func identityIsThatOfTheStorage() throws {
        let encoded: Value = try Value.list([["id": 1], ["id": 1]]).reencoded()
        let copy = encoded
        #expect(encoded.isIdentical(to: copy))
        #expect(!encoded.isIdentical(to: try encoded.reencoded()))
        let rows = try #require(encoded.list)
        #expect(rows[0].isIdentical(to: rows[0]))
        #expect(!rows[0].isIdentical(to: rows[1]))
        #expect(rows[0] == rows[1])

        var owned: Value = ["a": [1]]
        let before = owned
        #expect(owned.isIdentical(to: before))
        owned["a"] = [2]
        #expect(!owned.isIdentical(to: before))
    }

    @Test func identityOfScalarsIsEquality() {
        #expect(Value.int(1).isIdentical(to: 1))
        #expect(!Value.int(1).isIdentical(to: 1.0))
        #expect(Value.string("short").isIdentical(to: "short"))
        #expect(!Value.string("a").isIdentical(to: "b"))
    }
}
