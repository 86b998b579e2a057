import PlainValue
import Synchronization
import Timers
import WorkerKit

final class FaultyPlugin: Sendable {
    /// One for each endless run; `nil` once they are released.
    private let endless = Mutex<[Latch]?>([])
    private let blocking = ThreadSemaphore()
    private let sent = Atomic(0)

    /// The number of outputs that `faulty.floods` has sent.
    var sentCount: Int { sent.load(ordering: .relaxed) }

    /// Releases `faulty.endless` and `faulty.blocks`.
    func release() {
        let waiting = endless.withLock { latches in
            defer { latches = nil }
            return latches
        }
        for latch in waiting ?? [] { latch.open() }
        for _ in 0..<300 { blocking.signal() }
    }

    var plugin: Plugin {
        Plugin(
            "faulty", version: "1.0.0",
            definitions: [
                WorkerDefinition(name: "faulty.throws", summary: "") { _, _, _ in
                    throw WorkerError("gone", "the server is gone", help: "start it")
                },
                WorkerDefinition(name: "faulty.infinite", summary: "") { _, _, outputs in
                    try await outputs.send(.double(.infinity))
                },
                WorkerDefinition(name: "faulty.threads", summary: "", body: sendFromThreads),
                WorkerDefinition(name: "faulty.floods", summary: "", body: flood),
                WorkerDefinition(name: "faulty.endless", summary: "") { [self] _, _, outputs in
                    try await outputs.send("here")
                    await untilReleased()
                },
                WorkerDefinition(name: "faulty.blocks", summary: "") { [blocking] _, _, outputs in
                    try await outputs.send("here")
                    blocking.wait()
                },
                WorkerDefinition(
                    name: "faulty.picky", summary: "",
                    input: .record([.init("path", .string)]), needs: ["file.read={path}"]
                ) { _, _, _ in },
                WorkerDefinition(
                    name: "faulty.lasts", summary: "",
                    input: .record([.init("path", .string)]), needs: ["file.read={path}"]
                ) { [self] _, _, _ in await untilReleased() },
            ])
    }

    private func untilReleased() async {
        let latch = Latch()
        let waits = endless.withLock { $0?.append(latch) != nil }
        if waits { await latch.waitUntilOpen() }
    }

    /// 8 tasks on separate threads send 500 numbers each.
    private func sendFromThreads(
        _ input: Value, _ context: WorkerContext, _ outputs: WorkerEmitter<Value>
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        try await outputs.send(["part": .int(part), "number": .int(number)])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends numbers from 1 without a pause, as many as the input says.
    private func flood(
        _ input: Value, _ context: WorkerContext, _ outputs: WorkerEmitter<Value>
    ) async throws {
        let count = input["count"]?.int ?? .max
        var number = 0
        while number < count {
            number += 1
            try await outputs.send(.int(number))
            sent.add(1, ordering: .relaxed)
        }
    }
}
