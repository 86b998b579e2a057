import LuaVM
import PlainValue
import WorkflowKit

extension SecretTexts {
    /// The keys of messages under which there are texts for people.
    private static let shown: Set<String> = [
        "output", "text", "description", "result", "value", "message", "format", "stackTrace",
    ]

    /// A message without them in the texts that people see.
    func masked(message: Value) -> Value { masked(message) { Self.shown.contains($0) } }

    /// Hides what is secret at a moment, and knows it from then on.
    func hide(in content: inout MomentContent) {
        guard !names.isEmpty else { return }
        let values = [
            content.props, content.state, content.stateBefore, content.action, content.rendering,
        ]
        for value in values { add(from: value) }
        for variable in content.frames.flatMap({ $0.locals + $0.upvalues }) {
            add(variable.value, of: variable.name)
        }
        for index in content.frames.indices {
            hide(in: &content.frames[index].locals)
            hide(in: &content.frames[index].upvalues)
        }
        content.props = hiding(content.props)
        content.state = content.state.map(hiding)
        content.stateBefore = content.stateBefore.map(hiding)
        content.action = content.action.map(hiding)
        content.rendering = hiding(content.rendering)
    }
}
