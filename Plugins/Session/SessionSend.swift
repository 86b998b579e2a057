import PlainValue
import WorkerKit

/// `session.send`: sends an action to another session.
struct SessionSend: PluginWorker {
    static let name = "session.send"
    static let summary = "Sends an action to a session of the same service."

    let slot: SessionServiceSlot

    struct Input: Codable, Sendable {
        var to: String
        var action: Value
        /// The path of a node; by default the root.
        var node: String?
    }

    func run(_ input: Input, context: WorkerContext) async throws -> SessionAnswer {
        let (service, sender) = try slot.reach(context)
        _ = try context.require(Access("session", try await service.flow(ofSession: input.to)))
        return try await service.send(
            input.action, toSession: input.to, node: input.node, by: sender)
    }
}
