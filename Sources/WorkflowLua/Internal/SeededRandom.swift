/// Random numbers that depend on the seed alone: xoshiro256**, by David Blackman and Sebastiano Vigna,
/// <https://prng.di.unimi.it>, seeded by splitmix64 as its authors advise.
struct SeededRandom: RandomNumberGenerator {
    var state: (UInt64, UInt64, UInt64, UInt64)

    init(seed: UInt64) {
        var mixed = seed
        func next() -> UInt64 {
            mixed &+= 0x9E37_79B9_7F4A_7C15
            var z = mixed
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        state = (next(), next(), next(), next())
    }

    mutating func next() -> UInt64 {
        func rotated(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
        let result = rotated(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, 45)
        return result
    }

    /// A number from 0 up to, but not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A whole number in a closed range, each equally likely.
    mutating func integer(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
