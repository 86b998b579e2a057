public import PlainValue
public import WorkflowKit
import WorkflowLua

/// A flow that the service plays.
public struct ServedFlow: Sendable {
    /// The name by which clients ask for it: that of the flow, or of its file.
    public let name: String
    /// The path of the file.
    public let file: String
    /// Sixteen digits that change with the text of any of its files.
    public let hash: String
    /// The files that its sessions of before go on with.
    public let code: CodePolicy
    /// The settings of its sessions.
    public let options: FlowOptions

    /// The flow as clients are told of it.
    public var record: Value {
        ["name": .string(name), "file": .string(file.nameOfPath), "hash": .string(hash)]
    }
}
