import TestSupport
import Testing
import Timers

typealias Instant = ContinuousClock.Instant

let start = ContinuousClock.now

@Suite struct SleeperHeapTests {
    private struct Entry {
        let sleeper: Sleeper<Instant>
        let number: Int
    }

    @Test func itIsInOrderWhateverIsInsertedAndRemoved() throws {
        var numbers = SeededNumbers.printed()
        for round in 0..<40 {
            var heap = SleeperHeap<Instant>()
            var model: [Entry] = []
            var removed: [Sleeper<Instant>] = []
            // Few deadlines make many that are equal.
            let deadlines = round.isMultiple(of: 2) ? 5 : 10_000
            for number in 0..<Int.random(in: 1...2000, using: &numbers) {
                switch Int.random(in: 0..<10, using: &numbers) {
                case 0..<5:
                    let deadline = Int.random(in: 0..<deadlines, using: &numbers)
                    let sleeper = Sleeper<Instant>(until: start + .nanoseconds(deadline))
                    heap.insert(sleeper)
                    let index = model.firstIndex { $0.sleeper.deadline > sleeper.deadline }
                    model.insert(Entry(sleeper: sleeper, number: number), at: index ?? model.count)
                case 5..<8:
                    guard let index = model.indices.randomElement(using: &numbers) else { continue }
                    let entry = model.remove(at: index)
                    let wasThere = heap.remove(entry.sleeper)
                    #expect(wasThere)
                    removed.append(entry.sleeper)
                case 8:
                    guard let first = heap.first else { continue }
                    #expect(first === model.removeFirst().sleeper)
                    heap.remove(first)
                    removed.append(first)
                default:
                    if let sleeper = removed.randomElement(using: &numbers) {
                        let wasThere = heap.remove(sleeper)
                        #expect(!wasThere)
                    }
                }
                #expect(heap.count == model.count)
                #expect(heap.first === model.first?.sleeper)
            }
            while let first = heap.first {
                #expect(first === model.removeFirst().sleeper)
                heap.remove(first)
            }
            #expect(model.isEmpty)
        }
    }
}
