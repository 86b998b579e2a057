/// The candidates for completing the text at the cursor.
package struct Completion: Equatable, Sendable {
    /// The end of the typed text, which a candidate replaces.
    package var typed: String
    package var candidates: [String]

    package init(typed: String, candidates: [String] = []) {
        self.typed = typed
        self.candidates = candidates
    }
}
