import FlowPrinting
package import PlainValue
package import Terminal
import WorkflowKit
import WorkflowLua

/// Completes what is typed, from what was known when it was made.
package struct Completer: Sendable {
    /// The types of action of the root.
    let actions: [String]
    /// The known fields of actions by their types.
    let fields: [String: [String]]
    let rendering: Value
    /// The names that expressions can use, with their values.
    let names: [(name: String, value: Value)]
    /// The paths of the nodes.
    let nodes: [String]
    /// The names of the workers that are declared.
    let workers: [String]
    /// The commands that can be typed.
    let commands: [DotCommand]

    package init(
        actions: [String] = [], fields: [String: [String]] = [:], rendering: Value = .null,
        names: [(name: String, value: Value)] = [], nodes: [String] = [], workers: [String] = []
    ) {
        self.init(
            actions: actions, fields: fields, rendering: rendering, names: names, nodes: nodes,
            workers: workers, commands: DotCommand.allCases)
    }

    /// A completer for the lines of a run.
    package static func ofRun(actions: [String], rendering: Value) -> Completer {
        Completer(
            actions: actions, fields: [:], rendering: rendering, names: [], nodes: [], workers: [],
            commands: DotCommand.ofRuns)
    }

    /// The same with other commands.
    func narrowed(to commands: [DotCommand]) -> Completer {
        Completer(
            actions: actions, fields: fields, rendering: rendering, names: names, nodes: nodes,
            workers: workers, commands: commands)
    }

    private init(
        actions: [String], fields: [String: [String]], rendering: Value,
        names: [(name: String, value: Value)], nodes: [String], workers: [String],
        commands: [DotCommand]
    ) {
        self.actions = actions
        self.fields = fields
        self.rendering = rendering
        self.names = names
        self.nodes = nodes
        self.workers = workers
        self.commands = commands
    }

    /// - Parameter text: What stands before the cursor.
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
            // All names of the API are no help before one of them is begun.
            let names = argument.isEmpty ? [] : APIHelp.names
            return completion(argument, among: Set(commands.map(\.rawValue) + names).sorted())
        case .mute: return completion(argument, among: workers)
        case .rendering, .why: return completePath(argument, in: rendering)
        case .undo where commands == DotCommand.allCases || !argument.isEmpty:
            return completion(argument, among: ["mine"])
        case .state: return completion(argument, among: nodes)
        case .save, .snapshot, .load:
            return Completion(typed: argument, candidates: pathCompletions(of: argument))
        default: return Completion(typed: argument)
        }
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
            ofStep: last, in: typed,
            among: Self.steps(into: value[ValuePath(path)], typed: typed))
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
        // After a '=' comes a value, of which nothing is known.
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
        // What is given already is not given again.
        known.removeAll { table.contains("\($0) =") || table.contains("\($0)=") }
        return completion(typed, among: known.sorted().map { $0 + " = " })
    }

    // MARK: Paths

    private func completion(_ typed: String, among names: [String]) -> Completion {
        Completion(typed: typed, candidates: names.filter { $0.utf8.starts(with: typed.utf8) })
    }

    /// The completion of a step of a path; brackets take the place of a dot before them.
    private func completion(
        ofStep last: String, in typed: String, among names: [String]
    ) -> Completion {
        let plain = completion(last, among: names)
        guard typed.dropLast(last.count).last == ".",
            plain.candidates.contains(where: { $0.first == "[" })
        else { return plain }
        return Completion(
            typed: "." + last,
            candidates: plain.candidates.map { $0.first == "[" ? $0 : "." + $0 })
    }

    /// A path, and the beginning of its next step.
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

    /// The names and positions that lead on from a place.
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
            /// More are no help.
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
    /// True if it can stand in a name of Lua.
    fileprivate var isLuaNamePart: Bool { self == "_" || (isASCII && (isLetter || isNumber)) }
}
