import Foundation
import PlainValue
import Testing

@Suite struct ValueEncoderTests {
    private struct Order: Codable, Hashable {
        var sku: String
        var price: Double
        var count: Int
        var note: String?
        var tags: [String] = []
        var stock: [String: Int] = [:]
        var extra: Value = nil
    }

    private enum Shape: Codable, Hashable {
        case circle(radius: Double)
        case point
        case pair(Int, Int)
    }

    private class Animal: Codable { var name = "cat" }

    private class Pet: Animal {
        var owner = "Ann"

        enum CodingKeys: CodingKey { case owner }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            owner = try container.decode(String.self, forKey: .owner)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(owner, forKey: .owner)
            try super.encode(to: container.superEncoder())
        }
    }

    /// Encodes nested containers by hand, and adds to the outer one in between.
    private struct Nested: Codable, Hashable {
        var numbers = [1, 2]
        var name = "n"

        enum CodingKeys: CodingKey { case outer, list, name }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let outer = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .outer)
            name = try outer.decode(String.self, forKey: .name)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            var inner = try list.nestedUnkeyedContainer()
            numbers = []
            while !inner.isAtEnd { numbers.append(try inner.decode(Int.self)) }
            let last = try list.nestedContainer(keyedBy: CodingKeys.self)
            #expect(try last.decodeNil(forKey: .name))
            #expect(list.isAtEnd)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            var outer = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .outer)
            var inner = list.nestedUnkeyedContainer()
            try outer.encode(name, forKey: .name)
            for number in numbers { try inner.encode(number) }
            var last = list.nestedContainer(keyedBy: CodingKeys.self)
            try last.encodeNil(forKey: .name)
        }
    }

    private func roundTrip<T: Codable & Equatable>(_ value: T, _ expected: Value) throws {
        let encoded = try ValueEncoder().encode(value)
        #expect(encoded == expected)
        #expect(try ValueDecoder().decode(T.self, from: encoded) == value)
        #expect(try ValueDecoder().decode(T.self, from: encoded.reencoded()) == value)
    }

    @Test func structuresBecomeRecordsWithoutTheirNils() throws {
        let order = Order(sku: "mug-07", price: 12, count: 3)
        try roundTrip(
            order,
            ["sku": "mug-07", "price": 12.0, "count": 3, "tags": [], "stock": [:], "extra": nil])
        var full = order
        full.note = "fragile"
        full.tags = ["a", "b"]
        full.stock = ["north": 1, "south": 2]
        full.extra = [1, ["x": 2.5]]
        try roundTrip(
            full,
            [
                "sku": "mug-07", "price": 12.0, "count": 3, "note": "fragile", "tags": ["a", "b"],
                "stock": ["north": 1, "south": 2], "extra": [1, ["x": 2.5]],
            ])
    }

    @Test func scalarsOfEveryTypeAreKept() throws {
        try roundTrip(true, true)
        try roundTrip("text", "text")
        try roundTrip(1.5, 1.5)
        try roundTrip(Float(0.25), 0.25)
        try roundTrip(Int8.min, -128)
        try roundTrip(UInt16.max, 65535)
        try roundTrip(UInt64(Int.max), .int(.max))
        try roundTrip([UInt8(1), 255], [1, 255])
        try roundTrip([1, nil, 3] as [Int?], [1, nil, 3])
        try roundTrip([[1], []], [[1], []])
        try roundTrip(nil as Int?, nil)
    }

    @Test func enumerationsKeepTheirPayloads() throws {
        try roundTrip(
            [Shape.circle(radius: 1.5), .point, .pair(1, 2)],
            [["circle": ["radius": 1.5]], ["point": [:]], ["pair": ["_0": 1, "_1": 2]]])
    }

    @Test func dictionariesWithTextOrWholeNumbersAsKeysBecomeRecords() throws {
        try roundTrip(["a": [1]], ["a": [1]])
        try roundTrip([7: "x", -1: "y"], ["7": "x", "-1": "y"])
    }

    @Test func superclassesAreNested() throws {
        let pet = Pet()
        pet.name = "dog"
        let value = try ValueEncoder().encode(pet)
        #expect(value == ["owner": "Ann", "super": ["name": "dog"]])
        let decoded = try ValueDecoder().decode(Pet.self, from: value)
        #expect(decoded.name == "dog")
        #expect(decoded.owner == "Ann")
    }

    @Test func nestedContainersMayBeFilledInAnyOrder() throws {
        try roundTrip(Nested(), ["list": [[1, 2], ["name": nil]], "outer": ["name": "n"]])
    }

    @Test func valuesAreTakenAsTheyAre() throws {
        let value = try Value.record(["rows": [1, 2.0]]).reencoded()
        #expect(try ValueEncoder().encode(value).isIdentical(to: value))
        #expect(try ValueEncoder().encode(["v": value])["v"]?.isIdentical(to: value) == true)
        #expect(try ValueDecoder().decode(Value.self, from: value).isIdentical(to: value))
        let list: Value.List = [1, [2]]
        let record: Value.Record = ["a": list.first ?? 0]
        #expect(try ValueEncoder().encode(list) == .list(list))
        #expect(try ValueEncoder().encode(record) == .record(record))
        #expect(try ValueDecoder().decode(Value.List.self, from: [1, [2]]) == list)
        #expect(try ValueDecoder().decode(Value.Record.self, from: ["a": 1]) == record)
    }

    @Test func integersBeyond64BitsAreRefusedWithTheirPlace() {
        let error = #expect(throws: EncodingError.self) {
            try ValueEncoder().encode(["rows": [0, UInt64.max]])
        }
        guard case .invalidValue(let value, let context)? = error else {
            Issue.record("not an invalid value")
            return
        }
        #expect(value as? UInt64 == .max)
        #expect(context.codingPath.map(\.stringValue) == ["rows", "1"])
        #expect(context.debugDescription == "18446744073709551615 does not fit 64 bits at rows[2]")
    }

    @Test func typesThatEncodeNothingAreRefused() {
        struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
        let error = #expect(throws: EncodingError.self) {
            try ValueEncoder().encode(["a": Nothing()])
        }
        guard case .invalidValue(_, let context)? = error else {
            Issue.record("not an invalid value")
            return
        }
        #expect(context.debugDescription == "Nothing encoded nothing at a")
    }

    @Test func userInfoIsPassedOn() throws {
        struct Reader: Codable {
            static let key = CodingUserInfoKey(rawValue: "unit")
            var unit: String
            init() { unit = "" }
            init(from decoder: any Decoder) {
                unit = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "none"
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String } ?? "none")
            }
        }
        let key = try #require(Reader.key)
        var encoder = ValueEncoder()
        encoder.userInfo[key] = "cm"
        #expect(try encoder.encode([Reader()]) == ["cm"])
        var decoder = ValueDecoder()
        decoder.userInfo[key] = "mm"
        #expect(try decoder.decode([Reader].self, from: [1]).map(\.unit) == ["mm"])
    }

    @Test func valuesPassThroughOtherCoders() throws {
        let value: Value = [
            "a": [1, -2, 2.5, true, nil, "x"], "b": ["c": [:], "d": []], "e\u{301}": 1,
        ]
        let data = try JSONEncoder().encode(value)
        #expect(try Value(json: data) == value)
        #expect(try JSONDecoder().decode(Value.self, from: data) == value)
        #expect(try JSONDecoder().decode(Value.List.self, from: Data("[1]".utf8)) == [1])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Value.Record.self, from: Data("[1]".utf8))
        }
    }
}
