import CLuaBridge

extension LuaVM {
    /// The state of `math.random`: four numbers. Setting them continues from there.
    ///
    /// Numbers that are all 0 are ignored.
    public var randomState: SIMD4<UInt64> {
        get {
            var state = SIMD4<UInt64>.zero
            withWords(of: &state) { lb_random_state(bridge, $0) }
            return state
        }
        set {
            guard newValue != .zero else { return }
            var state = newValue
            withWords(of: &state) { lb_set_random_state(bridge, $0) }
        }
    }
}

/// Random numbers by the method of `math.random`, with a state of their own.
package struct LuaRandom: RandomNumberGenerator {
    package var state: SIMD4<UInt64>

    package init(_ state: SIMD4<UInt64>) { self.state = state }

    package mutating func next() -> UInt64 { withWords(of: &state) { lb_random_next($0) } }
}

/// Lends the four numbers of a state to C. Such a vector is four of them in a row.
private func withWords<Result>(
    of state: inout SIMD4<UInt64>, _ body: (UnsafeMutablePointer<UInt64>?) -> Result
) -> Result {
    withUnsafeMutableBytes(of: &state) { body($0.assumingMemoryBound(to: UInt64.self).baseAddress) }
}
