import LuaVM
import StockLua

/// Calls of all functions that the sandbox and stock Lua have: they must come to the same.
enum CallsTarget: FuzzTarget {
    static let seeds: [[UInt8]] = (0..<64).map { seed in
        (0..<400).map { UInt8(truncatingIfNeeded: ($0 * 7 + seed * 13) ^ ($0 * $0 * seed >> 3)) }
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        do throws(LuaError) {
            guard let difference = try CallSequence(bytes).difference() else { return }
            contradiction(difference)
        } catch {
            contradiction("\(error)")
        }
    }
}
