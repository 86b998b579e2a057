import LuaVM

/// The state of a flow's random number generator, which can be restored.
///
/// - Warning: It tells all numbers that will be drawn, as the seed does, so they keep no secret.
public struct RandomState: Sendable, Hashable {
    /// The state of `context:random`.
    private var context: SIMD4<UInt64>
    /// The state of `math.random`.
    private var math: SIMD4<UInt64>

    init(_ runtime: FlowRuntime) {
        context = runtime.random.state
        math = runtime.vm.randomState
    }

    func restore(in runtime: FlowRuntime) {
        runtime.random.state = context
        runtime.vm.randomState = math
    }

    package var another: RandomState {
        // Changes the high bits too, which the next number depends on.
        let bits = SIMD4<UInt64>(repeating: 0x9E37_79B9_7F4A_7C15)
        var state = self
        state.context = context ^ bits == .zero ? bits : context ^ bits
        state.math = math ^ bits == .zero ? bits : math ^ bits
        return state
    }

    /// Parses the text form; `nil` for anything else.
    ///
    /// ```swift
    /// let text = flow.randomState.text
    /// if let state = RandomState(text) { flow.randomState = state }
    /// ```
    public init?(_ text: String) {
        let parts = text.split(separator: "-")
        let words = parts.compactMap { UInt64($0, radix: 16) }
        guard parts.count == 8, words.count == 8 else { return nil }
        context = [words[0], words[1], words[2], words[3]]
        math = [words[4], words[5], words[6], words[7]]
        guard context != .zero, math != .zero else { return nil }
    }

    /// The state as text: eight numbers in hexadecimal digits.
    public var text: String {
        let words = [context, math].flatMap { four in (0..<4).map { four[$0] } }
        return words.map { String($0, radix: 16) }.joined(separator: "-")
    }
}
