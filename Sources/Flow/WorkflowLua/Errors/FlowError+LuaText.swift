// Lua describes its errors in messages alone. Only this file reads them.
extension FlowError {
    /// The name in the source that Lua's message blames.
    package struct Culprit: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable {
            case field, local, global, method, upvalue
        }

        package let kind: Kind
        package let name: String
        package let isNil: Bool
    }

    /// The name that the error is about; `nil` if Lua blames none.
    package var culprit: Culprit? {
        if let name = missingGlobal { return Culprit(kind: .global, name: name, isNil: false) }
        for kind in Culprit.Kind.allCases {
            guard let start = message.firstRange(of: "(\(kind.rawValue) '"),
                let end = message[start.upperBound...].firstIndex(of: "'")
            else { continue }
            return Culprit(
                kind: kind, name: String(message[start.upperBound..<end]),
                isNil: message.contains("a nil value"))
        }
        return nil
    }

    /// An operation of Lua on a value of a wrong type, by the beginning of its message.
    enum Operation: String, CaseIterable {
        case addition = "attempt to add a '"
        case arithmetic = "attempt to perform arithmetic"
        case call = "attempt to call"
        case comparison = "attempt to compare"
        case concatenation = "attempt to concatenate"
        case index = "attempt to index"
        case length = "attempt to get length"
        case remainder = "attempt to mod a 'string'"
    }

    var operation: Operation? {
        Operation.allCases.first { message.hasPrefix($0.rawValue) }
    }

    /// True if a source text ended before it was complete.
    package var isOfUnfinishedSource: Bool {
        // A text in quotes ends with its line.
        code == .syntax && message.hasSuffix(" near <eof>")
            && !message.hasPrefix("unfinished string")
    }

    /// True if a source text continues after its end.
    package var isOfTextBehindTheEnd: Bool {
        code == .syntax && message.hasPrefix("<eof> expected near ")
    }

    /// The line of an error that the compiler finds only at the end of a block or of the text.
    var earlierLine: Int? {
        let beginnings = ["break outside ", "no visible label ", "<goto ", "unfinished long "]
        guard code == .syntax, beginnings.contains(where: message.hasPrefix),
            let start = message.firstRange(of: " line ")
        else { return nil }
        return Int(message[start.upperBound...].prefix(while: \.isNumber))
    }

    package var isFailedAssertion: Bool { message == "assertion failed!" }

    /// True if Lua itself raised the error, rather than an `error` of the flow.
    package var isOfLua: Bool {
        code == .lua && Self.beginnings.contains(where: message.hasPrefix)
    }

    var missingGlobal: String? {
        let beginning = "there is no global '"
        guard code == .lua, message.hasPrefix(beginning), message.hasSuffix("'") else { return nil }
        let name = message.dropFirst(beginning.count).dropLast()
        return name.isEmpty || name.contains("'") ? nil : String(name)
    }

    var isOfContextField: Bool { message.hasPrefix("context has no field ") }

    var isOfReadOnly: Bool { message.hasSuffix(" is read-only") }

    /// True if a table or a context of the sandbox raised the error.
    private var isOfSandbox: Bool {
        missingGlobal != nil || isOfReadOnly
            || message.hasSuffix(", which is read-only")
            || message.hasPrefix("assignment to undefined global '")
            || isOfContextField
    }

    /// The beginnings of messages of Lua, each long enough not to match a flow's "invalid amount".
    private static let beginnings = [
        "attempt to add a '", "attempt to sub a '", "attempt to mul a '", "attempt to div a '",
        "attempt to mod a '", "attempt to pow a '", "attempt to idiv a '", "attempt to unm a '",
        "attempt to call a ", "attempt to compare ", "attempt to concatenate a ",
        "attempt to divide by zero", "attempt to get length of ", "attempt to index a ",
        "attempt to perform ", "attempt to yield ", "bad argument ", "number has no integer ",
        "'for' ", "string length ", "string slice too long", "resulting string too large",
        "assertion failed!", "C stack overflow", "stack overflow", "table overflow",
        "table index is ", "invalid UTF-8 code", "invalid capture index ", "invalid conversion '",
        "invalid conversion spec", "invalid format ", "invalid key to 'next'",
        "invalid next option ", "invalid option '", "invalid order function ",
        "invalid pattern capture", "invalid replacement value ", "invalid use of '",
        "invalid value (", "malformed pattern ", "missing '[' after '%f'", "pattern too complex",
        "unfinished capture", "too many captures", "too many results", "cannot resume ",
        "cannot close a ", "wrong number of arguments", "'__index' chain ",
        "'__newindex' chain ",
    ]

    /// True if the flow refused an action by `error` or `assert` with a message, as it should for
    /// actions from outside. An error that Lua raises is a mistake.
    package var isRefusalOfFlow: Bool {
        guard code == .lua, case .apply = phase else { return false }
        return !isOfLua && !isOfSandbox
    }
}
