import PlainValue
import WorkerKit

/// `session.create`: creates another session.
struct SessionCreate: PluginWorker {
    static let name = "session.create"
    static let summary = "Creates a session of the same service."
    static let needs: [WorkerNeed] = ["session={flow}"]

    let slot: SessionServiceSlot

    struct Input: Codable, Sendable {
        var flow: String
        var id: String
        var props: Value?
    }

    func run(_ input: Input, context: WorkerContext) async throws -> SessionAnswer {
        let (service, sender) = try slot.reach(context)
        return try await service.createSession(
            input.id, of: input.flow, props: input.props, by: sender)
    }
}
