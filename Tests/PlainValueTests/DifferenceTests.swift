import PlainValue
import TestSupport
import Testing

@Suite struct DifferenceTests {
    private func lines(_ old: Value, _ new: Value) -> [String] {
        old.differences(to: new).map(\.description)
    }

    @Test func equalValuesHaveNoDifferences() throws {
        let value: Value = ["rows": [1, 2], "nan": .double(.nan)]
        #expect(lines(value, value) == [])
        let other: Value = ["rows": [1, 2]]
        #expect(lines(other, try other.reencoded()) == [])
    }

    @Test func recordsAreComparedKeyByKey() {
        let old: Value = ["gone": 1, "price": 12, "same": [1], "nested": ["a": 1]]
        let new: Value = ["new key": "x", "price": 13, "same": [1], "nested": ["a": nil]]
        #expect(
            lines(old, new) == [
                "- gone = 1", "~ nested.a = 1 → null", "~ price = 12 → 13", #"+ ["new key"] = "x""#,
            ])
    }

    @Test func rowInTheMiddleIsOneChange() {
        let old: Value = ["rows": [["id": 1], ["id": 2], ["id": 3]]]
        let new: Value = ["rows": [["id": 1], ["id": 9], ["id": 2], ["id": 3]]]
        #expect(lines(old, new) == ["+ rows[2] = { id = 9 }"])
        #expect(lines(new, old) == ["- rows[2] = { id = 9 }"])
    }

    @Test func elementsBetweenAreComparedByPosition() {
        #expect(
            lines([1, ["a": 1], 3, 4, 5], [1, ["a": 2], 5]) == [
                "~ [2].a = 1 → 2", "- [4] = 4", "- [3] = 3",
            ])
        #expect(lines([1, 1], [1, 1, 1]) == ["+ [3] = 1"])
        #expect(lines([], [1, 2]) == ["+ [1] = 1", "+ [2] = 2"])
    }

    @Test func otherKindsAreReplaced() {
        #expect(lines(["a": []], ["a": [:]]) == ["~ a = {} → {}"])
        #expect(lines(1, 1.0) == ["~ 1 → 1.0"])
    }

    @Test(arguments: SeededNumbers.seeds(1...80))
    func applyingTheDifferencesGivesTheNewValue(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let old = generator.value()
            let unrelated = generator.value()
            #expect(try old.applying(old.differences(to: unrelated)) == unrelated)
            let changed = mutated(old, &generator)
            let changes = old.differences(to: changed)
            #expect(try old.applying(changes) == changed)
            #expect(try old.reencoded().applying(changes) == changed)
            #expect(changes.isEmpty == (old == changed))
        }
    }

    @Test(arguments: SeededNumbers.seeds(1...40))
    func firstDifferencesAreTheBeginningOfAll(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let old = generator.value()
            let new = mutated(old, &generator)
            let all = old.differences(to: new)
            for limit in 0...4 {
                let first = old.firstDifferences(to: new, limit: limit)
                #expect(first.changes == Array(all.prefix(limit)))
                #expect(first.count == all.count)
            }
        }
    }

    @Test(arguments: SeededNumbers.seeds(1...40))
    func changedNamesAreThoseOfTheDifferences(seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let old = Value.record(generator.record())
            let new = mutated(old, &generator)
            var names: [String] = []
            for change in old.differences(to: new) {
                // Keys that are spelled differently are different, even if they look the same.
                guard case .key(let name)? = change.path.components.first,
                    names.last.map({ !$0.utf8.elementsEqual(name.utf8) }) ?? true
                else { continue }
                names.append(name)
            }
            #expect(old.changedNames(in: new) == names)
            #expect(try old.reencoded().changedNames(in: new) == names)
        }
        #expect(Value(1).changedNames(in: ["a": 1]) == [])
    }

    private func mutated(_ value: Value, _ generator: inout SeededNumbers) -> Value {
        switch value {
        case .list(var list):
            for _ in 0..<2 {
                let place = Int.random(in: 0...list.count, using: &generator)
                if place < list.count {
                    list[place] = mutated(list[place], &generator)
                } else {
                    list.insert(generator.value(depth: 1), at: list.count / 2)
                }
            }
            return .list(list)
        case .record(var record):
            record[generator.key()] = generator.value(depth: 1)
            record[generator.key()] = nil
            return .record(record.mapValues { mutated($0, &generator) })
        default: return Bool.random(using: &generator) ? value : generator.value(depth: 2)
        }
    }

    @Test(arguments: [
        (
            ValueChange(path: ValuePath([.key("x")]), kind: .removed(1)),
            "there is no such place as x"
        ),
        (
            ValueChange(path: ValuePath([.key("x"), .key("y")]), kind: .added(1)),
            "there is no such place as x.y"
        ), (ValueChange(path: ValuePath([.key("a")]), kind: .added(1)), "a is there already"),
        (
            ValueChange(path: ValuePath([.key("a")]), kind: .removed(1)),
            "a is not what the change was made from"
        ),
        (
            ValueChange(path: ValuePath([.key("a"), .index(1)]), kind: .changed(from: 7, to: 8)),
            "a[1] is not what the change was made from"
        ),
        (
            ValueChange(path: ValuePath([.key("a"), .index(3)]), kind: .added(1)),
            "there is no such place as a[3]"
        ),
        (
            ValueChange(path: ValuePath([.key("a"), .index(0)]), kind: .added(1)),
            "there is no such place as a[0]"
        ),
        (
            ValueChange(path: ValuePath(), kind: .added(1)),
            "there is no such place as the value itself"
        ),
    ]) func changesThatDoNotFitAreRefused(change: ValueChange, message: String) {
        let value: Value = ["a": [5]]
        let error = thrown { () throws(ValueChangeError) in _ = try value.applying([change]) }
        #expect(error?.description == message)
        #expect(error?.path == change.path)
    }
}
