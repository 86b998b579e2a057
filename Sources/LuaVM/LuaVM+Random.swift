import CLuaBridge

extension LuaVM {
    /// How far `math.random` has come: four numbers, which go on from there when they are put back.
    ///
    /// Numbers that are all 0 are ignored.
    public var randomState: SIMD4<UInt64> {
        get {
            var state = SIMD4<UInt64>.zero
            withUnsafeMutableBytes(of: &state) { bytes in
                lb_random_state(bridge, bytes.assumingMemoryBound(to: UInt64.self).baseAddress)
            }
            return state
        }
        set {
            guard newValue != .zero else { return }
            withUnsafeBytes(of: newValue) { bytes in
                lb_set_random_state(
                    bridge, bytes.assumingMemoryBound(to: UInt64.self).baseAddress)
            }
        }
    }
}
