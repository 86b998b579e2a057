import Foundation
import TestSupport

extension Repository {
    /// The sorted paths below a folder with these endings, but no build products or dependencies.
    static func files(below folder: String, endings: [String]) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root + folder)
        return paths.filter { path in
            endings.contains { path.hasSuffix($0) } && !path.contains(".build")
        }.map { "\(folder)/\($0)" }.sorted()
    }
}
