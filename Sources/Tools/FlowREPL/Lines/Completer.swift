package import PlainValue
package import Terminal
import WorkerKit
import WorkflowKit
import WorkflowLua

/// Completes a typed line from the session as it was when the completer was made.
package struct Completer: Sendable {
    /// The root's action types.
    var actions: [String] = []
    /// The known fields of actions, by type.
    var fields: [String: [String]] = [:]
    var rendering = Value.null
    /// The names that expressions can use.
    var names: [(name: String, value: Value)] = []
    var nodes: [String] = []
    var workers: [String] = []
    /// The folder of the flow; `nil` if it is in none.
    var folder: String?
    var commands = DotCommand.allCases

    package static func ofRun(actions: [String], rendering: Value) -> Completer {
        Completer(actions: actions, rendering: rendering, commands: DotCommand.ofRuns)
    }

    /// - Parameter text: The text before the cursor.
    package func complete(_ text: String) -> Completion {
        switch text.first {
        case ".": return completeCommand(text)
        case "=": return completeExpression(text)
        default: return completeAction(text)
        }
    }

    // MARK: Commands

    private func completeCommand(_ text: String) -> Completion {
        guard let space = text.firstIndex(of: " ") else {
            return completion(text, among: commands.map { ".\($0.rawValue)" })
        }
        let argument = String(text[text.index(after: space)...].drop { $0 == " " })
        switch try? DotCommand(String(text[..<space].dropFirst())) {
        case .help:
            // The API has too many names to list before one is begun.
            let names = argument.isEmpty ? [] : APIHelp.names
            return completion(argument, among: Set(commands.map(\.rawValue) + names).sorted())
        case .mute: return completion(argument, among: workers)
        case .rendering, .why: return completePath(argument, in: rendering)
        case .undo where commands == DotCommand.allCases || !argument.isEmpty:
            return completion(argument, among: ["mine"])
        case .state: return completion(argument, among: nodes)
        case .save, .snapshot, .load:
            return Completion(typed: argument, candidates: pathCompletions(of: argument))
        case .log: return Completion(typed: argument, candidates: places(argument))
        default: return Completion(typed: argument)
        }
    }

    /// The flow's files that begin with a text, for a line of one of them.
    private func places(_ text: String) -> [String] {
        guard let folder, !text.contains(":") else { return [] }
        let start = folder.isEmpty ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        let files = pathCompletions(of: start + text).map { String($0.dropFirst(start.count)) }
        return files.filter { $0.hasSuffix("/") || $0.hasSuffix(".lua") }
            .map { $0.hasSuffix("/") ? $0 : $0 + ":" } + ["off"].filter { $0.hasPrefix(text) }
    }

    // MARK: Expressions

    private static let functions = [
        "ipairs", "math", "next", "pairs", "select", "string", "table", "tonumber", "tostring",
        "type", "utf8",
    ]

    private func completeExpression(_ text: String) -> Completion {
        let typed = String(
            text.reversed().prefix { $0.isLuaNamePart || "[].".contains($0) }.reversed())
        let (path, last) = Self.splitPath(typed)
        guard let root = path.first else {
            return completion(typed, among: (names.map(\.name) + Self.functions).sorted())
        }
        guard case .key(let name) = root else { return Completion(typed: last) }
        if path.count == 1, let library = HostAPI.libraries.first(where: { $0.name == name }) {
            return completion(last, among: library.names)
        }
        guard let value = names.first(where: { $0.name == name })?.value else {
            return Completion(typed: last)
        }
        let place = value[ValuePath(Array(path.dropFirst()))]
        return completion(ofStep: last, in: typed, among: Self.steps(into: place, typed: typed))
    }

    private func completePath(_ typed: String, in value: Value) -> Completion {
        let (path, last) = Self.splitPath(typed)
        return completion(
            ofStep: last, in: typed, among: Self.steps(into: value[ValuePath(path)], typed: typed))
    }

    // MARK: Actions

    private func completeAction(_ text: String) -> Completion {
        if let brace = text.firstIndex(of: "{") {
            return completeField(of: text[..<brace].trimmed, in: text[brace...])
        }
        let (path, last) = Self.splitPath(text)
        guard !path.isEmpty else {
            let sinks = Self.steps(into: rendering, typed: "", only: Self.holdsSink)
            let names = Set((actions + sinks).map(Name.init)).sorted().map(\.text)
            return completion(text, among: names)
        }
        let place = rendering[ValuePath(path)]
        return completion(
            ofStep: last, in: text,
            among: Self.steps(into: place, typed: text, only: Self.holdsSink))
    }

    private func completeField(of name: String, in table: Substring) -> Completion {
        let typed = String(table.reversed().prefix(while: \.isLuaNamePart).reversed())
        // Nothing is known about the value after '='.
        let before = table.dropLast(typed.count).trimmed.last
        guard before == "{" || before == "," || before == ";" else {
            return Completion(typed: typed)
        }
        var type = name
        var known: [String] = []
        if let path = try? ValuePath(parsing: name), !path.isEmpty, let sink = rendering[path],
            let target = actionType(ofSink: sink)
        {
            type = target
            let carried = sink["$sink"]?["action"]?.record ?? [:]
            known = carried.map(\.key).filter { $0 != "type" }
        }
        known += (fields[type] ?? []).filter { !known.contains($0) }
        // Leave out the fields that are already in the table.
        known.removeAll { table.contains("\($0) =") || table.contains("\($0)=") }
        return completion(typed, among: known.sorted().map { $0 + " = " })
    }

    // MARK: Paths

    private func completion(_ typed: String, among names: [String]) -> Completion {
        Completion(typed: typed, candidates: names.filter { $0.utf8.starts(with: typed.utf8) })
    }

    /// Completes the last component of a path; brackets replace a dot before them.
    private func completion(
        ofStep last: String, in typed: String, among names: [String]
    ) -> Completion {
        let plain = completion(last, among: names)
        guard typed.dropLast(last.count).last == ".",
            plain.candidates.contains(where: { $0.first == "[" })
        else { return plain }
        return Completion(
            typed: "." + last, candidates: plain.candidates.map { $0.first == "[" ? $0 : "." + $0 })
    }

    /// Splits a text into a path and the beginning of its next component.
    private static func splitPath(_ text: String) -> ([ValuePath.Component], last: String) {
        guard let end = text.lastIndex(where: { $0 == "." || $0 == "[" || $0 == "]" }),
            end > text.startIndex
        else { return ([], text) }
        let isBracket = text[end] == "["
        let whole = text[end] == "]" ? text[...end] : text[..<end]
        guard let path = try? ValuePath(parsing: String(whole)) else { return ([], text) }
        let start = isBracket ? end : text.index(after: end)
        return (path.components, String(text[start...]))
    }

    /// The components that can follow a path to this place.
    private static func steps(
        into place: Value?, typed: String, only condition: (Value) -> Bool = { _ in true }
    ) -> [String] {
        switch place {
        case .record(let record)?:
            guard actionType(ofSink: .record(record)) == nil else { return [] }
            return record.filter { condition($0.value) }.map { entry in
                let name = ValuePath([.key(entry.key)]).description
                return typed.last == "]" && name.first != "[" ? "." + name : name
            }
        case .list(let list)?:
            /// The most positions of a list that are offered.
            let most = 30
            return list.prefix(most).enumerated().filter { condition($0.element) }
                .map { "[\($0.offset + 1)]" }
        default: return []
        }
    }

    private static func holdsSink(_ value: Value) -> Bool {
        switch value {
        case .record(let record):
            actionType(ofSink: value) != nil || record.contains { holdsSink($0.value) }
        case .list(let list): list.contains(where: holdsSink)
        default: false
        }
    }
}

extension Character {
    fileprivate var isLuaNamePart: Bool { self == "_" || (isASCII && (isLetter || isNumber)) }
}

/// The sorted paths that begin with a text. Folders end in a slash.
///
/// A hidden file is left out unless the text holds the beginning of its name.
func pathCompletions(of text: String) -> [String] {
    let folder = text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
    let start = text.dropFirst(folder.count)
    let names = (try? fileNames(in: folder.isEmpty ? "." : folder).get()) ?? []
    return names.filter { $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix(".")) }
        .map { folder + $0 + (FilePath.isFolder(folder + $0) ? "/" : "") }.sorted()
}
