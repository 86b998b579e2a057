import LuaVM
import PlainValue
import WorkflowKit

extension SecretTexts {
    /// The fields of messages that contain no text of a flow.
    private static let structure: Set<String> = [
        "type", "event", "command", "category", "group", "kind", "path", "presentationHint",
        "reason",
    ]

    func masked(message: Value, under name: String = "") -> Value {
        guard !names.isEmpty, !Self.structure.contains(name) else { return message }
        switch message {
        // The client sends it back.
        case .string: return name == "dataId" ? naming(message) : hiding(message)
        case .list(let list):
            return .list(of: list.map { masked(message: $0, under: name) })
        case .record(let record):
            let fields = record.map { ($0.key, masked(message: $0.value, under: $0.key)) }
            return .record(Value.Record(fields) { $1 })
        default: return message
        }
    }

    /// Hides the secrets of a moment and remembers them.
    func hide(in content: inout MomentContent) {
        guard !names.isEmpty else { return }
        let values = [
            content.props, content.state, content.stateBefore, content.action, content.rendering,
        ]
        for value in values { add(from: value) }
        for variable in content.frames.flatMap({ $0.locals + $0.upvalues }) {
            add(from: [variable.name: variable.value])
        }
        for index in content.frames.indices {
            hide(in: &content.frames[index].locals)
            hide(in: &content.frames[index].upvalues)
        }
        content.props = hiding(content.props)
        content.state = content.state.map { hiding($0) }
        content.stateBefore = content.stateBefore.map { hiding($0) }
        content.action = content.action.map { hiding($0) }
        content.rendering = hiding(content.rendering)
    }

    private func hide(in variables: inout [LuaVariable]) {
        for index in variables.indices {
            let path = ValuePath([.key(variables[index].name)])
            variables[index].value = hiding(variables[index].value, at: path)
        }
    }
}
