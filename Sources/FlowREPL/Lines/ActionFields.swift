import FlowChecking
import Terminal
import WorkflowKit
import WorkflowLua

/// The fields that a flow's functions read of their actions, found by reading its source.
///
/// A guess, for completion: it knows `name = function(state, action, …)` and `apply.name = function(…)`, and what the
/// body of the function reads of the second parameter.
struct ActionFields {
    private(set) var fields: [String: [String]] = [:]

    init(source: String) {
        var open: (type: String, parameter: String, indent: Int)?
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let indent = line.prefix { $0 == " " || $0 == "\t" }.count
            if let start = Self.start(line) {
                open = (start.type, start.parameter, indent)
            }
            guard let (type, parameter, from) = open else { continue }
            for name in Self.reads(of: parameter, in: line)
            where name != "type" && !(fields[type] ?? []).contains(name) {
                fields[type, default: []].append(name)
            }
            if indent <= from, line.trimmed.hasPrefix("end") { open = nil }
        }
    }

    /// The type of action and the second parameter of a function that begins on a line.
    private static func start(_ line: Substring) -> (type: String, parameter: String)? {
        let parts = line.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let body = parts[1].trimmed
        guard body.hasPrefix("function"), let open = body.firstIndex(of: "("),
            let close = body.firstIndex(of: ")"), open < close
        else { return nil }
        let parameters = body[body.index(after: open)..<close].split(separator: ",")
        let name = parts[0].trimmed.split(separator: ".").last.map(String.init) ?? ""
        guard parameters.count > 1, name.allSatisfy(\.isLuaNamePart), !name.isEmpty else {
            return nil
        }
        return (name, parameters[1].trimmed)
    }

    /// The names that follow `parameter.` in a line.
    private static func reads(of parameter: String, in line: Substring) -> [String] {
        var names: [String] = []
        // The last words, each with whether a dot stands before it.
        var previous = (word: "", isField: false)
        var current = (word: "", isField: false)
        for character in line + " " {
            if character.isLuaNamePart {
                current.word.append(character)
                continue
            }
            if current.isField, !current.word.isEmpty, previous.word == parameter, !previous.isField
            {
                names.append(current.word)
            }
            previous = character == "." ? current : ("", false)
            current = ("", character == ".")
        }
        return names
    }
}

extension Character {
    /// Whether it can stand in a name of Lua.
    var isLuaNamePart: Bool { self == "_" || (isASCII && (isLetter || isNumber)) }
}
