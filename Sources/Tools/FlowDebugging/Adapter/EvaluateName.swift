import PlainValue
import WorkflowKit
import WorkflowLua

/// The expression for a value that is shown, from which those for its parts are made.
struct EvaluateName {
    /// The text; empty for the variables of a frame.
    let text: String

    static let variables = EvaluateName(text: "")

    /// The expression for the result of another one.
    static func result(of text: String) -> EvaluateName {
        let isPath = ValuePath(reading: text) != nil && (try? ValuePath(parsing: text)) != nil
        return EvaluateName(text: isPath ? text : "(\(text))")
    }

    func element(_ number: Int) -> EvaluateName { EvaluateName(text: "\(text)[\(number)]") }

    /// The expression for a field; `nil` if none leads to it. If the name is not `isPlain`, a text
    /// in brackets, such as `[-1]`, stands for a key of another kind.
    func field(_ name: String, isPlain: Bool) -> EvaluateName? {
        if LuaText.isName(name) {
            return EvaluateName(text: text.isEmpty ? name : "\(text).\(name)")
        }
        guard !text.isEmpty else { return nil }
        if !isPlain, name.hasPrefix("<") { return nil }
        if !isPlain, name.hasPrefix("["), name.hasSuffix("]") {
            return EvaluateName(text: text + name)
        }
        return EvaluateName(text: "\(text)[\(Value.string(name))]")
    }
}
