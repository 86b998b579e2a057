/// What the system told about a folder since it was last asked.
struct FolderChanges: Equatable, Sendable {
    /// The most names that are kept.
    private static let mostNames = 10_000

    /// What was written to.
    private(set) var written: Set<String> = []
    /// Whether there was more than could be kept.
    private(set) var hasOverflowed = false
    /// Whether the folder itself was removed or has another place.
    var isGone = false

    /// Notes that a file was written to.
    mutating func recordWriting(to name: String) {
        if written.count < Self.mostNames {
            written.insert(name)
        } else if !written.contains(name) {
            recordOverflow()
        }
    }

    /// Notes that something was not told.
    mutating func recordOverflow() { hasOverflowed = true }
}
