package import LuaVM
package import WorkflowLua

/// A text with expressions between braces, compiled.
package struct LogText {
    private enum Part {
        case words(String)
        case expression(FrameExpression)
    }

    private var parts: [Part] = []

    /// - Throws: A `FlowError` if a brace is not closed, or does not hold an expression.
    package init(_ text: String, _ expressions: FrameExpressions) throws(FlowError) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            parts.append(.words(String(rest[..<open])))
            guard let inside = rest[open...].insideBraces else { throw FlowError(.openBrace, text) }
            parts.append(.expression(try expressions.compile(String(inside))))
            rest = rest[rest.index(after: inside.endIndex)...]
        }
        parts.append(.words(String(rest)))
    }

    /// The text at a moment, with secrets masked.
    package func content(
        at moment: borrowing LuaMoment, _ expressions: FrameExpressions,
        callsFunctions: Bool = false, hiding secrets: SecretTexts
    ) throws(FlowError) -> LogHit.Content {
        var content = LogHit.Content(text: "", values: [])
        for part in parts {
            switch part {
            case .words(let words): content.text += words
            case .expression(let expression):
                let value = try expressions.value(
                    of: expression, at: moment, callsFunctions: callsFunctions,
                    hiding: secrets)
                content.values.append(value)
                content.text += expressions.text(of: value)
            }
        }
        return content
    }
}

extension Substring {
    /// The text between the brace at its start and the brace that closes it.
    fileprivate var insideBraces: Substring? {
        var depth = 0
        for word in SourceWords(Array(utf8)) {
            guard word.count == 1 else { continue }
            if word.first == UInt8(ascii: "{") { depth += 1 }
            if word.first == UInt8(ascii: "}") { depth -= 1 }
            guard depth == 0 else { continue }
            let end = utf8.index(startIndex, offsetBy: word.startIndex)
            return self[index(after: startIndex)..<end]
        }
        return nil
    }
}
