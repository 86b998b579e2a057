import Foundation
import TestSupport

/// What stands in the repository.
enum BuildFolder {
    /// The folder of an example flow.
    static func example(_ name: String) -> URL {
        URL(fileURLWithPath: Repository.path("Examples/\(name)"))
    }
}
