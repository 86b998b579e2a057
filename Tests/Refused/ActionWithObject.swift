import WorkflowKit

final class Person: Sendable {}

// An action of a flow is sent as a plain value.
struct Greet: FlowAction {  // error: does not conform to protocol 'Encodable'
    var person: Person
}
