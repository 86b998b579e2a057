public import PlainValue
public import Workflow

/// An action for a scripted node: a plain value with a string `type`.
public struct LuaAction: WorkflowAction, Sendable {
    /// The workflow that it applies to.
    public typealias WorkflowType = LuaWorkflow

    /// The action as the definition's `apply` receives it.
    public let value: Value
    /// Its type.
    public let type: String
    /// Who caused it; see ``AppliedAction/source``.
    public let source: String

    /// An action from a record with a string `type`, or from a string, which stands for `{ type = … }`.
    ///
    /// - Throws: A ``FlowError`` with the code `bad_action` for any other value.
    public init(_ value: Value, source: String = "client") throws(FlowError) {
        switch value {
        case .string(let type):
            self.init(value: ["type": .string(type)], type: type, source: source)
        case .record(let record):
            guard let type = record["type"] else {
                throw FlowError(
                    .badAction, "an action has no type: \(value.summary(maxLength: 80))",
                    help: "give it a type, such as { type = \"add\" }")
            }
            guard case .string(let name) = type else {
                throw FlowError(
                    .badAction, "the type of an action must be a string, not \(type.kind)",
                    help: "give it a type, such as { type = \"add\" }")
            }
            self.init(value: value, type: name, source: source)
        default:
            throw FlowError(
                .badAction, "an action must be a string or a record, not \(value.kind)",
                help: "write \"add\" or { type = \"add\" }")
        }
    }

    private init(value: Value, type: String, source: String) {
        // Encoded once: an action that is sent again and again is not encoded again for each node.
        self.value = value.encodedIfPossible
        self.type = type
        self.source = source
    }

    /// Calls the definition's `apply`; what it returns is the output.
    public func apply(
        toState state: inout LuaState, context: ApplyContext<LuaWorkflow>
    ) throws -> Value? {
        let instance = state.instance
        return try instance.runtime.apply(self, of: instance, to: &state) { context.path }
    }
}

extension Value {
    /// The same value in its binary form, unless it has none; what is wrong then shows where it is used.
    fileprivate var encodedIfPossible: Value { (try? encoded())?.value ?? self }
}
