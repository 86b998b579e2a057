public import PlainValue
public import WorkflowKit

extension FlowStatus {
    /// The reply to the request `status`.
    public var document: Value {
        [
            "flow": .string(name), "step": .int(step), "of": .int(stepCount),
            "actions": .list(of: actionTypes.map { .string($0) }),
            "working": .bool(hasRunningWorkers),
        ]
    }

    /// Reads a status; `nil` if the document holds none.
    ///
    /// ```swift
    /// let status = FlowStatus(document: ["flow": "todo", "step": 1, "of": 3])
    /// let isInPast = status?.isInPast  // true
    /// ```
    public init?(document: Value) {
        guard let name = document["flow"]?.string, let step = document["step"]?.natural,
            let count = document["of"]?.natural
        else { return nil }
        self.init(
            name: name, step: step, stepCount: count,
            actionTypes: document["actions"]?.list?.compactMap(\.string) ?? [],
            hasRunningWorkers: document["working"] == true)
    }
}
