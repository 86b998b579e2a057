import Foundation

extension Scene {
    /// The path of a file in the scene.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The text of a file in the scene.
    func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
}
