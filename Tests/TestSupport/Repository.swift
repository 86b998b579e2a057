package import Foundation

package enum Repository {
    /// The top of the repository, with a final slash.
    package static let root = String(#filePath.dropLast("Tests/TestSupport/Repository.swift".count))
    package static func path(_ name: String) -> String { root + name }
    package static func example(_ name: String) -> String { path("Examples/\(name)/\(name).lua") }

    package static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + path, encoding: .utf8)
    }

    package static func workflowRun() throws -> URL { try built("workflow-run") }

    /// The built library of the example of a plugin that is a package of its own.
    package static func greeter() throws -> String {
        #if os(macOS)
            let ending = "dylib"
        #else
            let ending = "so"
        #endif
        return try built("libGreeterExample.\(ending)").path
    }

    /// A product, in the folder of the test bundle or in one above.
    private static func built(_ name: String) throws -> URL {
        for argument in CommandLine.arguments where argument.contains("/") {
            var folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
            while folder.pathComponents.count > 1 {
                let product = folder.appendingPathComponent(name)
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: product.path, isDirectory: &isFolder),
                    !isFolder.boolValue
                {
                    return product
                }
                folder.deleteLastPathComponent()
            }
        }
        throw Missing(what: "\(name) beside \(CommandLine.arguments)")
    }
}
