/// The error for a change that does not fit a value.
public struct ValueChangeError: Error, Sendable, Hashable {
    /// The reason why a change does not fit.
    public enum Code: Sendable, Hashable {
        /// The path of the change leads nowhere.
        case noSuchPlace
        /// The key to add exists already.
        case alreadyThere
        /// The value to change or remove differs from the old value of the change.
        case notTheOldValue
    }

    /// The reason.
    public let code: Code
    /// The path of the change.
    public let path: ValuePath
}

extension ValueChangeError: CustomStringConvertible {
    /// The reason and the place, in one sentence without a full stop.
    public var description: String {
        let place = path.isEmpty ? "the value itself" : "\(path)"
        return switch code {
        case .noSuchPlace: "there is no such place as \(place)"
        case .alreadyThere: "\(place) is there already"
        case .notTheOldValue: "\(place) is not what the change was made from"
        }
    }
}
