public import PlainValue
public import Workflow

/// An action for a scripted node: a plain value with a string `type`.
public struct LuaAction: WorkflowAction, Sendable {
    /// The workflow that it applies to.
    public typealias WorkflowType = LuaWorkflow

    /// The action as the definition's `apply` receives it.
    public var value: Value { content.value }
    /// Its type.
    public var type: String { content.type.text }
    /// The origin; see ``AppliedAction/source``.
    public var source: String { content.source }

    /// One reference, since actions are passed through many functions.
    let content: Content

    final class Content: Sendable {
        let value: Value
        let type: Name
        let source: String

        init(_ value: Value, _ type: Name, _ source: String) {
            self.value = value
            self.type = type
            self.source = source
        }
    }

    /// Makes an action from a record with a string `type`, or from the string alone.
    ///
    /// ```swift
    /// print(try LuaAction("brew").value)  // { type = "brew" }
    /// try LuaAction(["minutes": 3])  // throws an action has no type: { minutes = 3 }
    /// ```
    ///
    /// - Throws: A ``FlowError`` with the code `bad_action`, also for a type of over 256 bytes.
    public init(_ value: Value, source: String = "client") throws(FlowError) {
        switch value {
        case .string(let type):
            try self.init(value: ["type": .string(type)], type: type, source: source)
        case .record(let record):
            guard let type = record["type"] else {
                throw FlowError(.noType, value.summary(maxLength: 80))
            }
            guard case .string(let name) = type else { throw FlowError(.badType, type.kind) }
            try self.init(value: value, type: name, source: source)
        default: throw FlowError(.notAnAction, value.kind)
        }
    }

    private init(value: Value, type: String, source: String) throws(FlowError) {
        let type = try FlowNames.checked(type, "the type of an action", .badAction)
        // Encoded once: an action that is sent again and again is not encoded again for each node.
        content = Content(value.encodedIfPossible, type, source)
    }

    /// Calls the definition's `apply` and returns the output.
    public func apply(
        toState state: inout ScriptedState, context: ApplyContext<LuaWorkflow>
    ) throws -> Value? {
        let node = state.node
        if node.place.settled == nil { node.place.settle(at: context.path) }
        return try node.apply(content, to: &state)
    }
}

extension Value {
    /// The value in its binary form; unchanged if it cannot be encoded, as its use reports that.
    fileprivate var encodedIfPossible: Value { (try? encoded())?.value ?? self }
}
