import PlainValue
import Synchronization
import Timers
import WorkerKit

/// A plugin with misbehaving workers.
final class FaultyPlugin: Sendable {
    private let endless = Latch()
    private let blocking = ThreadSemaphore()
    private let sent = Atomic(0)

    /// The number of outputs that `faulty.floods` has sent.
    var sentCount: Int { sent.load(ordering: .relaxed) }

    /// Releases `faulty.endless` and `faulty.blocks`.
    func release() {
        endless.open()
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
                WorkerDefinition(name: "faulty.endless", summary: "") { [endless] _, _, outputs in
                    try await outputs.send("here")
                    await endless.waitUntilOpen()
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
                ) { [endless] _, _, _ in await endless.waitUntilOpen() },
            ])
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
