/// A source line that renders a child, for messages about duplicates.
public struct CallSite: Sendable {
    @usableFromInline var file: StaticString
    @usableFromInline var line: UInt32

    @inlinable
    init(file: StaticString, line: UInt) {
        self.file = file
        self.line = UInt32(truncatingIfNeeded: line)
    }

    @usableFromInline static let unknown = CallSite(file: "", line: 0)

    var description: String { "\(file):\(line)" }
}
