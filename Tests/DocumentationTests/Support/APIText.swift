/// The definitions written by `workflow-run types` for Lua's language server, parsed for a page.
struct APIText {
    struct Function {
        /// The name with its group, as in `context:sink`.
        var name: String
        var parameters: [(name: String, type: String)] = []
        var returns: String?
        var summary: String
        var example: [String]
    }

    struct Group {
        var title: String
        var summary: String
        var fields: [(name: String, type: String, summary: String)] = []
        var functions: [Function] = []
    }

    private(set) var groups: [Group] = []

    init(definitions: String) {
        var comments: [Substring] = []
        for line in definitions.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("---") {
                comments.append(line.dropFirst(3))
            } else if line.hasPrefix("function ") {
                groups[groups.count - 1].functions.append(Self.function(line, comments))
                comments = []
            } else if line.hasPrefix("-- ") {
                let summary = String(line.dropFirst(3))
                if !comments.isEmpty { comments = [] } else { groups.append(Self.globals(summary)) }
            } else {
                if let group = Self.group(comments) { groups.append(group) }
                comments = []
            }
        }
        // The plugins' pages describe the arguments and outputs of workers.
        groups.removeAll { $0.title.hasPrefix("worker.") || $0.title == "workflow.Action" }
    }

    // MARK: Reading

    /// The names of objects in calls, where they differ from the group's name.
    private static let objects = [
        "RenderContext": "context", "ApplyContext": "context", "TestedFlow": "flow",
        "TestedWorker": "worker", "Expectation": "expectation",
    ]

    private static func globals(_ summary: String) -> Group {
        Group(
            title: summary.contains("_test.lua") ? "Globals of tests" : "Globals", summary: summary)
    }

    private static func group(_ comments: [Substring]) -> Group? {
        guard let line = comments.first(where: { $0.hasPrefix("@class ") }) else { return nil }
        let name = line.dropFirst("@class ".count).prefix { $0 != ":" }
        let title = name.hasSuffix("lib") ? String(name.dropLast(3)) : String(name)
        var group = Group(title: title, summary: comments.first.map(String.init) ?? "")
        for line in comments where line.hasPrefix("@field ") {
            let (name, rest) = word(line.dropFirst("@field ".count))
            let (type, summary) = word(rest)
            group.fields.append((name, type, String(summary)))
        }
        return group
    }

    private static func function(_ line: Substring, _ comments: [Substring]) -> Function {
        let full = line.dropFirst("function ".count).prefix { $0 != "(" }
        let parts = full.split(separator: ":")
        let name =
            parts.count == 2 ? "\(objects["\(parts[0])"] ?? "\(parts[0])"):\(parts[1])" : "\(full)"
        let fence = comments.indices.filter { comments[$0].hasPrefix("```") }
        let example = fence.count == 2 ? comments[(fence[0] + 1)..<fence[1]].map(String.init) : []
        var function = Function(
            name: name, summary: comments.first.map(String.init) ?? "", example: example)
        for line in comments where line.hasPrefix("@param ") {
            let (name, type) = word(line.dropFirst("@param ".count))
            function.parameters.append((name, String(type)))
        }
        function.returns = comments.first { $0.hasPrefix("@return ") }
            .map { String($0.dropFirst("@return ".count)) }
        return function
    }

    /// Splits at the first space outside of brackets that does not follow a colon or a comma.
    private static func word(_ text: Substring) -> (String, Substring) {
        var depth = 0
        var last: Character = " "
        for (index, character) in zip(text.indices, text) {
            if "(<{".contains(character) { depth += 1 }
            if ")>}".contains(character) { depth -= 1 }
            if character == " ", depth == 0, !":,".contains(last) {
                return (String(text[..<index]), text[text.index(after: index)...])
            }
            last = character
        }
        return (String(text), "")
    }

    // MARK: Writing

    private static let namesForTests: Set = ["workflow.any", "workflow.sink", "workflow.test"]
    private static let titlesForTests: Set = [
        "Globals of tests", "workflow.TestedFlow", "workflow.TestedWorker", "workflow.Expectation",
    ]

    func groups(forTests: Bool) -> [Group] {
        groups.compactMap { group in
            guard group.title == "workflow" else {
                return Self.titlesForTests.contains(group.title) == forTests ? group : nil
            }
            var group = group
            group.fields.removeAll {
                Self.namesForTests.contains("workflow.\($0.name)") != forTests
            }
            group.functions.removeAll { Self.namesForTests.contains($0.name) != forTests }
            return group
        }
    }

    func lines(forTests: Bool) -> [String] {
        groups(forTests: forTests).flatMap { group -> [String] in
            var lines = ["", "## \(group.title)", "", group.summary]
            if !group.fields.isEmpty {
                lines += ["", "| field | type | |", "|---|---|---|"]
                lines += group.fields.map { field in
                    "| `\(field.name)` | `\(Self.cell(field.type))` | \(Self.cell(field.summary)) |"
                }
            }
            if !group.functions.isEmpty {
                lines += ["", "| function | |", "|---|---|"]
                lines += group.functions.map { function in
                    "| `\(Self.cell(Self.signature(function)))` | \(Self.cell(function.summary)) |"
                }
            }
            for function in group.functions where !function.example.isEmpty {
                lines += ["", "`\(function.name)`:", "", "```lua"] + function.example + ["```"]
            }
            return lines
        } + [""]
    }

    private static func signature(_ function: Function) -> String {
        let parameters = function.parameters.map { parameter in
            parameter.type == "any" ? parameter.name : "\(parameter.name): \(parameter.type)"
        }
        let returns = function.returns.map { ": \($0)" } ?? ""
        return "\(function.name)(\(parameters.joined(separator: ", ")))\(returns)"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
