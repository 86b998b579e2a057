/// The changes that the system reported for a folder since the last request.
struct FolderChanges: Equatable, Sendable {
    private static let mostNames = 10_000

    private(set) var written: Set<String> = []
    /// True if changes were lost.
    var hasOverflowed = false
    /// True if the folder itself was removed or moved.
    var isGone = false

    mutating func recordWriting(to name: String) {
        if written.count < Self.mostNames {
            written.insert(name)
        } else if !written.contains(name) {
            hasOverflowed = true
        }
    }
}
