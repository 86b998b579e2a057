import Foundation

/// Random numbers that are the same for the same seed (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static var given: UInt64? {
        ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
    }

    /// The seeds of a test that is run with each: those given, or the one in the variable `SEED`.
    package static func seeds(_ seeds: ClosedRange<UInt64>) -> [UInt64] {
        given.map { [$0] } ?? Array(seeds)
    }

    /// The seed in the environment variable `SEED`, or else `seed`, by default a new one. It is
    /// printed, so that a test that chooses at random can choose alike again.
    package static func printedSeed(
        or seed: UInt64 = .random(in: 0...(.max)), for test: String = #function
    ) -> UInt64 {
        let seed = given ?? seed
        print("SEED=\(seed) \(test)")
        return seed
    }

    /// The numbers of ``printedSeed(or:for:)``.
    package static func printed(
        or seed: UInt64 = .random(in: 0...(.max)), for test: String = #function
    ) -> SeededNumbers { SeededNumbers(seed: printedSeed(or: seed, for: test)) }
}
