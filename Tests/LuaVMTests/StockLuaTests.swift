import Foundation
import StockLua
import TestSupport
import Testing

/// The sandbox's functions are Lua's: random calls, with iterators given one another's states and
/// all kinds of keys, come to the same in stock Lua. `Programs/calls.lua` has what may differ.
@Suite(.serialized) struct StockLuaTests {
    private static let kept = SeededNumbers.seeds(1...20)

    private func sequences(_ seed: UInt64) -> [CallSequence] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<25).map { _ in
            CallSequence((0..<400).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
        }
    }

    @Test(arguments: kept) func aSequenceOfCallsComesToTheSame(seed: UInt64) throws {
        for (number, sequence) in sequences(seed).enumerated() {
            let difference = try sequence.difference()
            #expect(difference == nil, "SEED=\(seed), sequence \(number)")
        }
    }

    @Test func newSequencesComeToTheSameToo() throws {
        let first = SeededNumbers.printedSeed() >> 1
        for seed in first..<first + 10 { try aSequenceOfCallsComesToTheSame(seed: seed) }
    }

    /// Most calls are made, and each function is.
    @Test func theSequencesCallWhatThereIs() {
        var lines: [Substring] = []
        for seed in Self.kept.prefix(10) {
            for sequence in sequences(seed) {
                lines += sequence.toldByStockLua()?.split(separator: "\n") ?? []
            }
        }
        let skipped = lines.count { $0 == "?" }, failed = lines.count { $0 == "error" }
        #expect(skipped * 5 < lines.count)
        #expect(failed * 2 < lines.count)
        let names = Set(lines.compactMap { $0.split(separator: " ").first })
        for name in [
            "next", "pairs", "variable", "table.move", "utf8.len", "string.pack", "math.ult",
        ] { #expect(names.contains(name[...]), "\(name)") }
    }
}
