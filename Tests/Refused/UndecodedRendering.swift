import WorkflowKit

struct Screen { var title: String }

// A rendering is a plain value, which only a `Decodable` type is made of.
func screen(of session: FlowSession) async throws -> Screen {
    try await session.rendering(as: Screen.self)  // error: requires that 'Screen' conform
}
