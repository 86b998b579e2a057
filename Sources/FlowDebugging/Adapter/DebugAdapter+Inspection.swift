import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

// The stack and the variables where the debugger has stopped.
extension DebugAdapter {
    /// The content at a line of the current input, without secrets.
    func content(at line: Int) throws -> MomentContent {
        if let content = view.contents[line] { return content }
        var content = try stopped().content(at: line)
        secretTexts.hide(in: &content)
        view.contents[line] = content
        return content
    }

    func stackTrace(_ arguments: Value) throws -> Value {
        let debugger = try stopped()
        view.frames = []
        var frames: [Value] = []
        for line in try debugger.callers {
            let content = try content(at: line)
            let returned = line == debugger.moment.line ? debugger.returned : 0
            for (level, frame) in content.frames.enumerated().dropFirst(returned) {
                view.frames.append(.init(line: line, level: level))
                let isOutermost = level == content.frames.count - 1
                let name =
                    isOutermost && !content.node.isEmpty
                    ? "\(frame.name) of \(content.node)" : frame.name
                frames.append([
                    "id": .int(view.frames.count), "name": .string(name), "column": 1,
                    "line": .int(frame.location.line), "source": source(frame.location.file),
                    "canRestart": true,
                ])
            }
        }
        for (name, location) in try origins() {
            var frame: Value.Record = [
                "id": .int(view.frames.count + frames.count + 1000), "name": .string(name),
                "line": 0,
                "column": 0, "presentationHint": "label", "canRestart": false,
            ]
            if let location {
                frame["line"] = .int(location.line)
                frame["source"] = source(location.file)
                frame["presentationHint"] = "subtle"
            }
            frames.append(.record(frame))
        }
        let total = frames.count
        let start = try arguments.natural("startFrame") ?? 0
        let count = try arguments.natural("levels") ?? 0
        var shown = frames.dropFirst(start)
        if count > 0 { shown = shown.prefix(count) }
        return ["stackFrames": .list(of: Array(shown)), "totalFrames": .int(total)]
    }

    /// The calls that led to a node's call through their outputs, and the input.
    private func origins() throws -> [(String, FlowError.Location?)] {
        let debugger = try stopped()
        let lines = try debugger.lines
        var origins: [(String, FlowError.Location?)] = []
        if lines.lines.indices.contains(debugger.moment.line) {
            var call = lines.lines[debugger.moment.line].call
            let isAction: (FlowPhase) -> Bool = { phase in
                switch phase {
                case .apply, .answer: true
                default: false
                }
            }
            while call > 1, isAction(try content(at: debugger.moment.line).phase),
                let last = lines.lines.lastIndex(where: { $0.call == call - 1 })
            {
                let content = try content(at: last)
                guard isAction(content.phase) else { break }
                origins.append(("\(content.phase) of \(content.node)", lines.location(of: last)))
                call -= 1
            }
        }
        let played = debugger.replica.inputs[debugger.moment.input]
        let title = played.input.map(\.title) ?? "the beginning"
        var text = "step \(played.step) of \(debugger.replica.inputs.last?.step ?? 0), \(title)"
        if played.isUnderWay {
            text += ", which is under way"
        } else if !played.isStep {
            text += ", which failed"
        }
        if lines.isCut {
            text += ", of which \(lines.lines.count) lines are shown"
        }
        if let first = debugger.replica.firstDifference, debugger.moment.input >= first {
            text += ", not as recorded"
        }
        return origins + [(text, nil)]
    }

    // MARK: Variables

    /// The requested frame, by default the innermost.
    func frame(_ arguments: Value) throws -> StoppedView.Frame? {
        guard let id = try arguments.natural("frameId"), view.frames.indices.contains(id - 1) else {
            return view.frames.first
        }
        return view.frames[id - 1]
    }

    /// The content of the requested frame, by default the innermost.
    func content(ofFrame arguments: Value) throws -> MomentContent {
        if view.frames.isEmpty { _ = try stackTrace([:]) }
        return try content(at: try frame(arguments)?.line ?? stopped().moment.line)
    }

    func scopes(_ arguments: Value) throws -> Value {
        _ = try stopped()
        guard let id = try arguments.natural("frameId"), view.frames.indices.contains(id - 1) else {
            return ["scopes": []]
        }
        let place = view.frames[id - 1]
        let content = try content(at: place.line)
        let frame = content.frames[place.level]
        var scopes: [Value] = []
        func add(_ name: String, _ value: Value, _ root: String? = nil, hint: String? = nil) {
            let number = view.number(of: value, root.map { .init(root: $0) })
            var scope: Value.Record = [
                "name": .string(name), "variablesReference": .int(number), "expensive": false,
            ]
            if let hint { scope["presentationHint"] = .string(hint) }
            scopes.append(.record(scope))
        }
        add("Locals", .record(Value.Record(shown: frame.locals)), hint: "locals")
        if !frame.upvalues.isEmpty { add("Upvalues", .record(Value.Record(shown: frame.upvalues))) }
        if let state = content.state { add("State", state, Self.dataRoot(ofState: content.node)) }
        add("Props", content.props)
        if let action = content.action { add("Action", action, hint: "arguments") }
        if let before = content.stateBefore, let state = content.state, before != state {
            add("Changes", Self.changes(from: before, to: state))
        }
        return ["scopes": .list(of: scopes)]
    }

    /// The paths at which two values differ, with both values.
    private static func changes(from before: Value, to now: Value) -> Value {
        var changes: Value.Record = [:]
        func compare(_ path: ValuePath, _ old: Value?, _ new: Value?) {
            guard old != new, changes.count < 200 else { return }
            switch (old, new) {
            case (.record(let a)?, .record(let b)?):
                for name in Set(a.keys).union(b.keys).sorted() {
                    compare(path.appending(.key(name)), a[name], b[name])
                }
            case (.list(let a)?, .list(let b)?):
                for index in 0..<max(a.count, b.count) {
                    compare(
                        path.appending(.index(index + 1)), index < a.count ? a[index] : nil,
                        index < b.count ? b[index] : nil)
                }
            default:
                changes[path.description] = .string(
                    "\(new?.summary(maxLength: 60) ?? "nil")  was \(old?.summary(maxLength: 60) ?? "nil")"
                )
            }
        }
        compare(ValuePath(), before, now)
        return .record(changes)
    }

    func variables(_ arguments: Value) throws -> Value {
        _ = try stopped()
        guard let container = view.container(try arguments.natural("variablesReference") ?? 0)
        else {
            throw DebugRefusal(message: "There is no such variable where the session stands now.")
        }
        var named: [(String, Value)] = []
        switch container.value {
        case .record(let record): named = record.map { ($0.key, $0.value) }
        case .list(let list): named = list.enumerated().map { ("[\($0.offset + 1)]", $0.element) }
        default: break
        }
        if arguments["filter"]?.string == "indexed", container.value.list == nil { named = [] }
        if arguments["filter"]?.string == "named", container.value.list != nil { named = [] }
        let start = try arguments.natural("start") ?? 0
        let count = try arguments.natural("count") ?? 0
        var shown = named.dropFirst(start)
        if count > 0 { shown = shown.prefix(count) }
        let variables = shown.map { name, value in
            var variable = described(value, container.place(of: name))
            variable["name"] = .string(name)
            variable["value"] = variable.removeValue(forKey: "result")
            return Value.record(variable)
        }
        return ["variables": .list(of: variables)]
    }

    /// A value in the protocol's format.
    func described(_ value: Value, _ place: StoppedView.Place? = nil) -> Value.Record {
        var record: Value.Record = [
            "result": .string(value.withoutTargets.summary(maxLength: 200)),
            "type": .string(value.typeName),
            "variablesReference": 0,
        ]
        switch value {
        case .list(let list) where !list.isEmpty:
            record["variablesReference"] = .int(view.number(of: value, place))
            record["indexedVariables"] = .int(list.count)
        case .record(let fields) where !fields.isEmpty:
            record["variablesReference"] = .int(view.number(of: value, place))
            record["namedVariables"] = .int(fields.count)
        default: break
        }
        return record
    }

    // MARK: Failures

    func exceptionInfo() throws -> Value {
        let debugger = try stopped()
        // This makes the secrets known before the texts are sent.
        _ = try content(at: debugger.moment.line)
        if case .caught(let message)? = stop?.reason {
            return [
                "exceptionId": "caught", "description": .string(message), "breakMode": "always",
                "details": ["message": .string(message), "typeName": "caught"],
            ]
        }
        guard let failure = try debugger.lines.failure else {
            throw DebugRefusal(message: "Nothing has failed here.")
        }
        var details: Value.Record = [
            "message": .string(failure.message), "typeName": .string(failure.code.rawValue),
        ]
        let frames = failure.frames.map { frame in
            "\(frame.location)\(frame.function.map { " in \($0)" } ?? "")"
        }
        if !frames.isEmpty { details["stackTrace"] = .string(frames.joined(separator: "\n")) }
        return [
            "exceptionId": .string(failure.code.rawValue),
            "description": .string(failure.description),
            "breakMode": "unhandled", "details": .record(details),
        ]
    }
}

extension Value {
    /// Its Lua type, with lists and records distinguished.
    fileprivate var typeName: String {
        switch self {
        case .null: "nil"
        case .bool: "boolean"
        case .int, .double: "number"
        case .string: "string"
        case .list: "list"
        case .record(let record): record["$sink"] == nil ? "table" : "sink"
        }
    }

    /// The value with `→ toggle` instead of a sink.
    fileprivate var withoutTargets: Value {
        switch self {
        case .record(let record):
            if let sink = record["$sink"] {
                return .string("→ \(sink["action"]?["type"]?.string ?? "")")
            }
            return .record(
                Value.Record(record.map { ($0.key, $0.value.withoutTargets) }) { _, last in last })
        case .list(let list): return .list(of: list.map(\.withoutTargets))
        default: return self
        }
    }
}

extension Value.Record {
    /// Variables by name; a later one hides an earlier one.
    fileprivate init(shown variables: [LuaVariable]) {
        self.init(variables.map { ($0.name, $0.value) }) { _, last in last }
    }
}

extension StringProtocol {
    /// The text without spaces around it.
    var trimmingSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
