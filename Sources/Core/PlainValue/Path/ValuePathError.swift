/// The error for a text that is not a path, with its place.
public struct ValuePathError: Error, Sendable, Hashable {
    /// The fault in the text.
    public enum Code: Sendable, Hashable {
        /// The text has something else in the place of `what`, or ends there.
        case expected(_ what: String)
        /// A position is 0; the first element is at 1.
        case positionZero
        /// A position does not fit 64 bits.
        case positionTooLarge
    }

    /// The fault.
    public let code: Code
    /// The column of the fault, counted from 1 in Unicode scalars.
    public let column: Int
}

extension ValuePathError: CustomStringConvertible {
    /// The place and the fault: `column 6: expected ']'`.
    public var description: String {
        switch code {
        case .expected(let what): "column \(column): expected \(what)"
        case .positionZero: "column \(column): positions count from 1"
        case .positionTooLarge: "column \(column): the position is too large"
        }
    }
}
