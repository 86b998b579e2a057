/// Why a text is not a path, and where.
public struct ValuePathError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Code: Sendable, Hashable {
        /// The text has something else where `what` has to be, or ends there.
        case expected(_ what: String)
        /// A position is 0; the first element is at 1.
        case positionZero
        /// A position does not fit 64 bits.
        case positionTooLarge
    }

    /// What is wrong.
    public let code: Code
    /// The column of the fault, counted from 1 in Unicode scalars.
    public let column: Int
}

extension ValuePathError: CustomStringConvertible {
    /// The place and what is wrong there: `column 6: expected ']'`.
    public var description: String {
        switch code {
        case .expected(let what): "column \(column): expected \(what)"
        case .positionZero: "column \(column): positions count from 1"
        case .positionTooLarge: "column \(column): the position is too large"
        }
    }
}
