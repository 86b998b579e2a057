/// The texts that can stand at the cursor.
package struct Completion: Equatable, Sendable {
    /// The end of what is typed that they take the place of.
    package var typed: String
    package var candidates: [String]

    package init(typed: String, candidates: [String] = []) {
        self.typed = typed
        self.candidates = candidates
    }
}
