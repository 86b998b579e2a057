import Foundation
import TestSupport
import Testing

/// A chunk that a host must survive, with the expected outcome in its first line.
struct HostileChunk: Sendable, CustomTestStringConvertible {
    enum Outcome: String {
        /// It ends, and its result is a plain value.
        case ok
        /// An ordinary located error.
        case error
        /// It asks for something that does not exist.
        case denied
        case cpuLimit = "cpu-limit"
        case memoryLimit = "memory-limit"
        case convertError = "convert-error"
    }

    let name: String
    let source: String
    let outcomes: [Outcome]

    var testDescription: String { name }

    /// True if it comes to nothing without `load`.
    var needsLoad: Bool { source.contains("if not load then") }

    /// All chunks in the folder `Hostile`, sorted by name.
    static let all: [HostileChunk] = {
        let folder = URL(filePath: Repository.path("Tests/LuaVMTests/Hostile"))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".lua") }.sorted().compactMap { name in
            guard
                let source = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            else { return nil }
            return HostileChunk(name: name, source: source)
        }
    }()

    /// Nil without a first line such as `-- expect error or denied: why`.
    private init?(name: String, source: String) {
        let first = source.prefix { $0 != "\n" }
        guard first.hasPrefix("-- expect "), let colon = first.firstIndex(of: ":") else {
            return nil
        }
        let words = first[..<colon].dropFirst("-- expect ".count).split { " ,".contains($0) }
        self.name = name
        self.source = source
        outcomes = words.compactMap { Outcome(rawValue: String($0)) }
    }
}
