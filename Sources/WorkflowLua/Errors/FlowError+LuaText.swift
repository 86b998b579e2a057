// Lua says in its messages alone what went wrong. Here they are read, and nowhere else.
extension FlowError {
    /// The name in the source that Lua blames for an error.
    package struct Culprit: Sendable, Hashable {
        /// The kind of a name.
        package enum Kind: String, Sendable, CaseIterable {
            case field, local, global, method, upvalue
        }

        package let kind: Kind
        /// The name of a variable, a field or a method.
        package let name: String
        /// True if it is nil.
        package let isNil: Bool
    }

    /// The name that the error is about; `nil` if Lua blames none.
    package var culprit: Culprit? {
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

    /// True if a source text ended before it was complete, so that more of it could make it right.
    package var isOfUnfinishedSource: Bool {
        // A text in quotes ends with its line.
        code == .syntax && message.hasSuffix(" near <eof>")
            && !message.hasPrefix("unfinished string")
    }

    /// True if a source text goes on where it should have ended.
    package var isOfTextBehindTheEnd: Bool {
        code == .syntax && message.hasPrefix("<eof> expected near ")
    }

    /// The line of what the compiler notices at the end of a block or of the text only.
    var earlierLine: Int? {
        let beginnings = ["break outside ", "no visible label ", "<goto ", "unfinished long "]
        guard code == .syntax, beginnings.contains(where: message.hasPrefix),
            let start = message.firstRange(of: " line ")
        else { return nil }
        return Int(message[start.upperBound...].prefix(while: \.isNumber))
    }

    /// True if it is of an `assert` without a message of its own.
    package var isFailedAssertion: Bool { message == "assertion failed!" }

    /// True if Lua itself raised the error, and no `error` of the flow.
    package var isOfLua: Bool {
        let beginnings = [
            "attempt to ", "bad argument ", "number has no integer ", "'for' ", "string length ",
            "invalid ", "assertion failed!", "C stack overflow", "stack overflow", "table overflow",
        ]
        return code == .lua && beginnings.contains { message.hasPrefix($0) }
    }
}
