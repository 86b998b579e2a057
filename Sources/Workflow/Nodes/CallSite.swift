/// A line of source that renders a child, so that a message can name both places of a clash.
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
