public import PlainValue

/// An input of a session, and its results.
public struct FlowStep: Sendable, Hashable {
    /// The input.
    public var input: FlowInput
    /// The type of the first action that it led to; `nil` if it led to none.
    public var action: String?
    /// The names in the rendering whose values changed, except sinks.
    public var changed: [String]
    /// The outputs of the root.
    public var outputs: [Value]

    /// Makes a step from its parts.
    ///
    /// - Parameters:
    ///   - input: The input that led to the step.
    ///   - action: The type of the first action; `nil` if it led to none.
    ///   - changed: The names in the rendering whose values changed, except sinks.
    ///   - outputs: The outputs of the root, in order.
    public init(
        _ input: FlowInput, action: String? = nil, changed: [String] = [], outputs: [Value] = []
    ) {
        self.input = input
        self.action = action
        self.changed = changed
        self.outputs = outputs
    }
}
