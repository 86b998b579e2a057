import LuaVM
import PlainValue

/// The value of `on_output` and similar options: the type of an action, or a function.
enum OutputHandler {
    case type(String)
    case function(LuaReference, name: String)

    /// - Throws: A ``FlowError`` for any other value, and for an unknown type of action.
    init(_ field: LuaField, name: String, of caller: NodeCall) throws(FlowError) {
        if let type = field.scalar?.string {
            let known = try FlowNames.checked(type, "the type of an action")
            guard caller.definition.takes(known) else {
                throw unknownAction(type, of: caller.definition, path: caller.path)
            }
            self = .type(type)
        } else if field.type == .function, let function = field.reference {
            self = .function(function, name: name)
        } else {
            throw FlowError(.badHandler, name, field.type.described)
        }
    }

    /// The action for a value, which is in its `field`; `nil` if the function returned none.
    func action(
        for value: Value, field: String?, source: String, runtime: FlowRuntime, caller: NodeCall
    ) throws(FlowError) -> LuaAction? {
        switch self {
        case .type(let type):
            var action: Value.Record = ["type": .string(type)]
            if let field { action[field] = value }
            return try LuaAction(.record(action), source: source)
        case .function(let function, let name):
            let call = NodeCall(node: caller.node, kind: .answer)
            let result = try runtime.withCall(call, of: function.borrowed, .answer(name)) {
                () throws(FlowError) in
                try lua { () throws(LuaError) in
                    try runtime.vm.call(function, .value(value), returning: .value, root: "action")
                }
            }
            guard !result.isNil, let action = result.value else { return nil }
            do throws(FlowError) {
                return try LuaAction(action, source: source)
            } catch {
                var error = error
                error.phase = .answer(name)
                error.node = caller.path
                error.location = runtime.vm.location(of: function).map(FlowError.Location.init)
                throw error
            }
        }
    }
}

func nodeKey(_ field: LuaField, of what: String) throws(FlowError) -> String {
    switch field.scalar {
    case .string(let text): return try FlowNames.checked(text, "the key of \(what)").text
    case .int(let number): return String(number)
    default: throw FlowError(.badKey, what, field.type.described)
    }
}

func unknownOption(
    _ key: LuaField.Key, of function: String, known: [String]
) throws(FlowError) -> FlowError {
    guard case .name(let name) = key else {
        return FlowError(.unknownOption, function, key.described, "")
    }
    _ = try FlowNames.checked(name, "the name of an option of \(function)")
    return FlowError(
        known.contains("on_error") && name.hasPrefix("on_") ? .unknownAnswer : .unknownOption,
        function, key.described, suggestion(for: name, among: known, noun: "options"))
}
