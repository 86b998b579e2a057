/// Why a change cannot be applied to a value, and which.
public struct ValueChangeError: Error, Sendable, Hashable {
    /// What is wrong.
    public enum Code: Sendable, Hashable {
        /// The path of the change leads nowhere.
        case noSuchPlace
        /// The key to add is there already.
        case alreadyThere
        /// The value to change or remove is not the one the change was made from.
        case notTheOldValue
    }

    /// What is wrong.
    public let code: Code
    /// The path of the change.
    public let path: ValuePath
}

extension ValueChangeError: CustomStringConvertible {
    /// What is wrong and where, in one sentence without a full stop.
    public var description: String {
        let place = path.isEmpty ? "the value itself" : "\(path)"
        return switch code {
        case .noSuchPlace: "there is no such place as \(place)"
        case .alreadyThere: "\(place) is there already"
        case .notTheOldValue: "\(place) is not what the change was made from"
        }
    }
}
