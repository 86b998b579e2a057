import Foundation
import TestSupport

/// Files of the repository.
enum BuildFolder {
    /// The folder of an example flow.
    static func example(_ name: String) -> URL {
        URL(fileURLWithPath: Repository.path("Examples/\(name)"))
    }
}
