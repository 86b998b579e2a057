/// A function or value that scripts get from the host, for checks, editors, help and pages.
package struct HostMember: Sendable {
    /// The name within its group, such as `sink`.
    package let name: String
    /// A function's parameters as the language server writes them; `nil` for a value.
    package let parameters: [HostParameter]?
    /// The type of the value or of the function's result; empty for no result.
    package let type: String
    /// A description in one sentence.
    package let summary: String
    package let example: String?

    /// A function; `parameters` are written as in `type: string, fields?: table`.
    package static func function(
        _ name: String, _ parameters: String, _ returns: String, _ summary: String,
        example: String? = nil
    ) -> HostMember {
        HostMember(
            name: name, parameters: HostParameter.list(parameters), type: returns,
            summary: summary, example: example)
    }

    package static func function(
        _ name: String, _ parameters: String, _ summary: String, example: String? = nil
    ) -> HostMember {
        function(name, parameters, "", summary, example: example)
    }

    package static func value(
        _ name: String, _ type: String, _ summary: String, example: String? = nil
    ) -> HostMember {
        HostMember(name: name, parameters: nil, type: type, summary: summary, example: example)
    }
}

package struct HostParameter: Sendable {
    package let name: String
    package let type: String
    package let isOptional: Bool

    /// Reads a list of parameters; commas within brackets belong to a type.
    package static func list(_ text: String) -> [HostParameter] {
        var parts: [String] = []
        var depth = 0
        for character in text {
            if parts.isEmpty { parts.append("") }
            if "(<{".contains(character) { depth += 1 }
            if ")>}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { part in
            let halves = part.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            let name = String(halves.first ?? "")
            let isOptional = name.hasSuffix("?")
            return HostParameter(
                name: isOptional ? String(name.dropLast()) : name,
                type: halves.count > 1 ? String(halves[1]) : "any", isOptional: isOptional)
        }
    }
}
