public import PlainValue
public import WorkflowKit
import WorkflowLua

/// A flow of a service.
public struct ServedFlow: Sendable {
    /// The name for clients: that of the flow, or of its file.
    public let name: String
    /// The path of the file.
    public let file: String
    /// Sixteen digits that change when any of its files changes.
    public let hash: String
    /// The policy for its stored sessions.
    public let code: CodePolicy
    /// The settings of its sessions.
    public let options: FlowOptions

    /// The flow as clients see it.
    public var record: Value {
        ["name": .string(name), "file": .string(file.nameOfPath), "hash": .string(hash)]
    }
}
