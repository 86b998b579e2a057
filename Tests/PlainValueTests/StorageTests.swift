@testable import PlainValue
import TestSupport
import Testing

/// Owned and encoded storage must behave the same in every operation.
@Suite struct StorageTests {
    private static let seeds = SeededNumbers.seeds(1...60)

    @Test(arguments: seeds) func valuesAreEqualAndHashEqualInBothStorages(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        for _ in 0..<10 {
            let owned = generator.value()
            let other = generator.value()
            let encoded = try owned.reencoded()
            #expect(owned == encoded)
            #expect(encoded == owned)
            #expect(encoded == (try owned.reencoded()))
            #expect(owned.hashValue == encoded.hashValue)
            let otherEncoded = try other.reencoded()
            #expect((owned == other) == (encoded == otherEncoded))
            #expect((owned == other) == (owned == otherEncoded))
            #expect(owned.description == encoded.description)
            #expect(owned.json == encoded.json)
            #expect(owned.prettyJSON == encoded.prettyJSON)
        }
    }

    @Test(arguments: seeds) func listsReadTheSameInBothStorages(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        let owned = generator.list()
        let encoded = try #require(try Value.list(owned).reencoded().list)
        #expect(isEncoded(.list(encoded)))
        #expect(Array(owned) == Array(encoded))
        #expect(owned.indices.map { owned[$0] } == encoded.indices.map { encoded[$0] })
        #expect(Array(owned.reversed()) == Array(encoded.reversed()))
        #expect(Array(owned.dropFirst()) == Array(encoded.dropFirst()))
        #expect(owned.first == encoded.first)
        #expect(owned.last == encoded.last)
    }

    @Test(arguments: seeds) func listsChangeTheSameInBothStorages(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        var model = Array(generator.list())
        for _ in 0..<12 {
            var owned = Value.List(model)
            var encoded = try #require(try Value.list(owned).reencoded().list)
            let new = generator.value(depth: 1)
            let middle = Int.random(in: 0...model.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0:
                model.append(new)
                owned.append(new)
                encoded.append(new)
            case 1:
                model.insert(new, at: middle)
                owned.insert(new, at: middle)
                encoded.insert(new, at: middle)
            case 2 where middle < model.count:
                model[middle] = new
                owned[middle] = new
                encoded[middle] = new
            case 3 where middle < model.count:
                model.remove(at: middle)
                owned.remove(at: middle)
                encoded.remove(at: middle)
            case 4:
                model.replaceSubrange(0..<middle, with: [new, new])
                owned.replaceSubrange(0..<middle, with: [new, new])
                encoded.replaceSubrange(0..<middle, with: [new, new])
            case 5 where !model.isEmpty:
                model.swapAt(0, model.count - 1)
                owned.swapAt(0, owned.count - 1)
                encoded.swapAt(0, encoded.count - 1)
            default:
                model.reverse()
                owned.reverse()
                encoded.reverse()
            }
            #expect(Array(owned) == model)
            #expect(Array(encoded) == model)
            #expect(owned == encoded)
        }
    }

    @Test(arguments: seeds) func recordsChangeTheSameInBothStorages(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        var model: [[UInt8]: Value] = [:]
        for _ in 0..<20 {
            let entries = model.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
            var owned = Value.Record(entries)
            var encoded = try #require(try Value.record(owned).reencoded().record)
            let key = generator.key()
            let new = generator.value(depth: 1)
            #expect(owned[key] == model[Array(key.utf8)])
            #expect(encoded[key] == model[Array(key.utf8)])
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let previous = model.removeValue(forKey: Array(key.utf8))
                #expect(owned.removeValue(forKey: key) == previous)
                #expect(encoded.removeValue(forKey: key) == previous)
            } else {
                model[Array(key.utf8)] = new
                owned[key] = new
                encoded[key] = new
            }
            let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            #expect(owned.map { Array($0.key.utf8) } == sorted.map(\.key))
            #expect(owned.map(\.value) == sorted.map(\.value))
            #expect(encoded.map { Array($0.key.utf8) } == sorted.map(\.key))
            #expect(encoded.keys.map { Array($0.utf8) } == sorted.map(\.key))
            #expect(owned == encoded)
        }
    }

    @Test func changingAnEncodedValueOwnsOnlyTheLevelsOnTheWay() throws {
        var value: Value = try Value.record(["rows": [["id": 1], ["id": 2]], "tags": ["x"]])
            .reencoded()
        value["rows"]?[0]?["id"] = 5
        #expect(!isEncoded(value))
        #expect(!isEncoded(value["rows"]))
        #expect(!isEncoded(value["rows"]?[0]))
        #expect(isEncoded(value["rows"]?[1]))
        #expect(isEncoded(value["tags"]))
        #expect(value == ["rows": [["id": 5], ["id": 2]], "tags": ["x"]])
    }

    private func isEncoded(_ value: Value?) -> Bool { value?.encodedView != nil }
}
