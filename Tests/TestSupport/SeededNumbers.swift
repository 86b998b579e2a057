import Foundation

/// Random numbers that are the same for the same seed (SplitMix64).
public struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    /// The numbers of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The numbers of the seed in the environment variable `SEED`, or else of a new one, which is
    /// printed, so that a test that chooses at random can choose alike again.
    public static func printed(for test: String = #function) -> SeededNumbers {
        let seed =
            ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0...UInt64.max)
        print("SEED=\(seed) \(test)")
        return SeededNumbers(seed: seed)
    }
}
