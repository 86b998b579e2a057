import PlainValue
import WorkerKit

/// `session.outputs`: the outputs of another session.
struct SessionOutputs: EmittingPluginWorker {
    static let name = "session.outputs"
    static let summary = "Gives the outputs of a session of the same service."

    let slot: SessionServiceSlot

    struct Input: Codable, Sendable {
        var of: String
        /// The last output that the flow has; by default all that there are when it begins.
        var after: SessionOutputPlace?
    }

    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<SessionOutput>
    ) async throws {
        let (service, sender) = try slot.reach(context)
        _ = try context.require(Access("session", try await service.flow(ofSession: input.of)))
        try await service.followSession(input.of, after: input.after, by: sender) {
            try await outputs.send($0)
        }
    }
}
