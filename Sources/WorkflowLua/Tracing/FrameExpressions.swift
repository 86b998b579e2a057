package import LuaVM
package import PlainValue

/// Evaluates expressions over the values of variables, apart from the flow: in an interpreter of its own, within the
/// limits of a call, and with nothing that could be changed.
package final class FrameExpressions {
    private let vm: LuaVM
    private var toText: LuaReference?

    /// - Throws: A `FlowError` if there is no memory for an interpreter.
    package init(limits: LuaVM.Configuration) throws(FlowError) {
        var limits = limits
        limits.isolation = .none
        vm = try lua { () throws(LuaError) in try LuaVM(limits) }
    }

    /// Compiles an expression.
    ///
    /// - Throws: A `FlowError` with the code `syntax` if it is none.
    package func compile(_ text: String) throws(FlowError) -> FrameExpression {
        let names = Self.names(in: text)
        // What no variable has is looked for among what the sandbox offers.
        let source =
            names.isEmpty
            ? ""
            : "local \(names.joined(separator: ", ")) = ...; "
                + names.map { "if \($0) == nil then \($0) = _ENV.\($0) end " }.joined()
        do throws(LuaError) {
            return FrameExpression(
                text: text, names: names,
                function: try vm.load(source + "return " + text, chunkName: "expression"))
        } catch {
            throw FlowError(
                .syntax, "'\(text)' is no expression: \(error.message)",
                help: "write one as in Lua, such as item.id or #state.items > 3")
        }
    }

    /// The plain value of an expression where variables have these values; others are nil.
    package func value(
        of expression: FrameExpression, where values: [String: Value]
    ) throws(FlowError) -> Value {
        do throws(LuaError) {
            let arguments = try expression.names.map { name throws(LuaError) in
                switch values[name] {
                case .list?, .record?:
                    return LuaArgument.reference(
                        try vm.makeView(of: values[name] ?? .null, label: name))
                case .null?, nil: return .nil
                case let scalar?: return .value(scalar)
                }
            }
            let result = try vm.call(
                expression.function, arguments, returning: .value, root: "value")
            return result.value ?? .null
        } catch {
            throw FlowError(error)
        }
    }

    /// A value as `print` writes it; a table is written out.
    package func text(of value: Value) -> String {
        switch value {
        case .string(let text): return text
        case .null: return "nil"
        case .double:
            if toText == nil { toText = try? vm.load("return tostring(...)", chunkName: "text") }
            let text = toText.flatMap { try? vm.call($0, .value(value), returning: .value).value }
            return text?.string ?? "\(value)"
        default: return value.description
        }
    }

    /// The names that stand in a text and may be variables, each once.
    private static func names(in text: String) -> [String] {
        var names: [String] = []
        var previous = ""
        // A text that begins with `#` is no first line for the shell here.
        for bytes in SourceWords(Array(" \(text)".utf8)) {
            let word = String(decoding: bytes, as: UTF8.self)
            if previous != ".", previous != ":", LuaText.isName(word), !names.contains(word) {
                names.append(word)
            }
            previous = word
        }
        return names
    }
}

/// A compiled expression of ``FrameExpressions``.
package struct FrameExpression {
    /// The expression, as it was written.
    package let text: String
    /// The names that it may read.
    package let names: [String]
    let function: LuaReference
}
