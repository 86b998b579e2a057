/// A right to a kind of request.
public enum ServiceScope: String, Sendable, CaseIterable {
    /// To read and follow sessions.
    case read
    /// To send actions and props.
    case act
    /// To create sessions.
    case create
    /// To undo, redo, go to other steps and branch.
    case travel
    /// To delete sessions.
    case delete
    /// To list the sessions of everybody, and to see all their states, inputs and steps.
    case inspect
    /// To evaluate expressions over sessions.
    case evaluate
}

extension Set<ServiceScope> {
    /// Reads the scopes of a text, which has commas between them; `-` is none.
    ///
    /// ```swift
    /// let scopes = try Set(parsing: "read,act")
    /// let none = try Set(parsing: "-")  // []
    /// let unknown = try Set(parsing: "write")  // throws there is no scope 'write'; there are …
    /// ```
    ///
    /// - Throws: An ``UnknownScope`` for a word that is not a scope.
    public init(parsing text: some StringProtocol) throws(UnknownScope) {
        self = []
        guard text != "-" else { return }
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let scope = ServiceScope(rawValue: String(word)) else {
                throw UnknownScope(word: String(word))
            }
            insert(scope)
        }
    }
}

/// The error for a word that is not a scope.
public struct UnknownScope: Error, CustomStringConvertible {
    /// The word.
    public let word: String

    /// The sentence about it.
    public var description: String {
        let known = ServiceScope.allCases.map(\.rawValue).joined(separator: ", ")
        return "there is no scope '\(word)'; there are \(known)"
    }
}
