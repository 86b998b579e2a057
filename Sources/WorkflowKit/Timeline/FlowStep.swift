public import PlainValue

/// An input of a session, and what came of it.
public struct FlowStep: Sendable, Hashable {
    /// The input.
    public var input: FlowInput
    /// The type of the first action that it led to; `nil` if it led to none.
    public var action: String?
    /// The names in the rendering whose values it changed, without those of sinks.
    public var changed: [String]
    /// What the root emitted.
    public var outputs: [Value]

    /// A step from its parts.
    public init(
        _ input: FlowInput, action: String? = nil, changed: [String] = [], outputs: [Value] = []
    ) {
        self.input = input
        self.action = action
        self.changed = changed
        self.outputs = outputs
    }
}
