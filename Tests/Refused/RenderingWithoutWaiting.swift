import PlainValue
import WorkflowKit

// A session is an actor, and whoever looks at it waits for its turn.
func rendering(of session: FlowSession) -> Value {
    session.rendering  // error: can not be referenced from a nonisolated context
}
