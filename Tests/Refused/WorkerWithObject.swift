import Workflow

final class Cache { var texts: [Int: String] = [:] }

// A worker runs in a task of its own, so it brings nothing that the workflow changes meanwhile.
struct Load: Worker, Equatable {
    let cache: Cache  // error: has non-Sendable type 'Cache'
    static func == (a: Load, b: Load) -> Bool { true }
    func run() async -> String { cache.texts[1] ?? "" }
}
