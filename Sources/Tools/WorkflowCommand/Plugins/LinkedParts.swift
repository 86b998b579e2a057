package import ArgumentParser
import Synchronization
package import WorkerKit

/// Parts that are linked into the program in place of lying beside it: a program with Swift's
/// runtime in it can load no library written in Swift.
package struct LinkedParts: Sendable {
    /// The parts of this program; none unless its first lines say so.
    package static var current: LinkedParts {
        get { parts.withLock { $0 } }
        set { parts.withLock { $0 = newValue } }
    }
    private static let parts = Mutex(LinkedParts())

    /// Plugins beside those of every program.
    package var plugins: [Plugin] = []
    package var page: InspectorLibrary?
    /// The command `serve` with all its options; `nil` if another program has them.
    package var serve: (any ParsableCommand.Type)?
}
