import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

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
        let isOfTest = debugger.replica.inputs[debugger.moment.input].testLines != nil
        for line in try debugger.callers {
            let content = try content(at: line)
            let returned = line == debugger.moment.line ? debugger.returned : 0
            for (level, frame) in content.frames.enumerated().dropFirst(returned) {
                view.frames.append(.init(line: line, level: level))
                let isOutermost = level == content.frames.count - 1
                let name =
                    isOutermost && content.phase != .load
                    ? "\(frame.name) of \(content.node)" : frame.name
                frames.append([
                    "id": .int(view.frames.count), "name": .string(name), "column": 1,
                    "line": .int(frame.location.line), "source": source(frame.location.file),
                    "canRestart": .bool(!isOfTest),
                ])
            }
        }
        for (name, location) in try origins() {
            var frame: Value.Record = [
                "id": .int(view.frames.count + frames.count + 1000), "name": .string(name),
                "line": 0, "column": 0, "presentationHint": "label", "canRestart": false,
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
        let inputs = debugger.replica.inputs
        let played = inputs[debugger.moment.input]
        if let test = debugger.replica.test, played.testLines == nil,
            let line = inputs[..<debugger.moment.input].last(where: { $0.testLines != nil })?
                .testLines?.last
        {
            origins.append((test.name, test.location(of: line)))
        }
        var text = played.label(of: inputs.last?.step ?? 0)
        if lines.isCut {
            text += ", of which \(lines.lines.count) lines are shown"
        }
        if !debugger.replica.isAsRecorded(debugger.moment.input) {
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
        func add(_ name: String, _ container: StoppedView.Container, hint: String? = nil) {
            var container = container
            container.frame = place
            let number = view.number(of: container)
            var scope: Value.Record = [
                "name": .string(name), "variablesReference": .int(number), "expensive": false,
            ]
            if case .record(let fields)? = container.value {
                scope["namedVariables"] = .int(fields.count)
            }
            if let hint { scope["presentationHint"] = .string(hint) }
            scopes.append(.record(scope))
        }
        func add(_ name: String, _ variable: String, _ value: Value, hint: String? = nil) {
            add(name, .init(value: value, expression: EvaluateName(text: variable)), hint: hint)
        }
        add("Locals", .init(frame.locals), hint: "locals")
        let hidden = Set(frame.locals.map(\.name))
        let upvalues = frame.upvalues.filter { !hidden.contains($0.name) }
        if !upvalues.isEmpty { add("Upvalues", .init(upvalues)) }
        if let state = content.state {
            add(
                "State",
                .init(
                    value: state, place: .init(root: Self.dataRoot(ofState: content.node)),
                    expression: EvaluateName(text: "state")))
        }
        // A file that is loaded, and a test, are not of a node.
        if content.phase != .load { add("Props", "props", content.props) }
        if let action = content.action { add("Action", "action", action, hint: "arguments") }
        if let before = content.stateBefore, let state = content.state, before != state {
            add("Changes", .init(value: Self.changes(from: before, to: state)))
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
                    "\(new?.summary(maxLength: 60) ?? "nil")  was "
                        + "\(old?.summary(maxLength: 60) ?? "nil")")
            }
        }
        compare(ValuePath(), before, now)
        return .record(changes)
    }

    func variables(_ arguments: Value) throws -> Value {
        _ = try stopped()
        guard var container = view.container(try arguments.natural("variablesReference") ?? 0)
        else {
            throw FlowError(.noVariable)
        }
        if container.value == nil { try open(&container) }
        let start = try arguments.natural("start") ?? 0
        let count = try arguments.natural("count") ?? 0
        let filter = arguments["filter"]?.string
        let list = filter == "named" ? nil : container.value?.list
        let fields = filter == "indexed" ? nil : container.value?.record
        let total = list?.count ?? fields?.count ?? 0
        let first = min(start, total)
        let range = first..<(count > 0 ? min(first + min(count, total), total) : total)
        let elements = range.compactMap { index in
            list.map { list in
                part(
                    of: container, "[\(index + 1)]", list[index],
                    container.expression?.element(index + 1))
            }
        }
        let named = (fields ?? [:]).dropFirst(first).prefix(range.count).map { name, value in
            let expression = container.expression?.field(name, isPlain: container.isPlain)
            return part(of: container, name, value, expression)
        }
        return ["variables": .list(of: elements + named)]
    }

    /// A part of a value in the protocol's format.
    private func part(
        of container: StoppedView.Container, _ name: String, _ value: Value,
        _ expression: EvaluateName?
    ) -> Value {
        // What is not plain is known of the variables of a frame, and of nothing within.
        let isLikeness = container.likenesses.contains(name)
        let variable = LuaVariable(
            value: value, isPlain: container.isPlain && !isLikeness,
            isNil: container.nils.contains(name))
        var record = described(
            variable, place: container.place(of: name), expression: expression,
            frame: container.frame, isWithin: !container.isPlain)
        record["name"] = .string(name)
        record["value"] = record.removeValue(forKey: "result")
        if let expression { record["evaluateName"] = .string(expression.text) }
        return .record(record)
    }

    /// Finds the value of a container that was too deep to be shown with what it is in.
    private func open(_ container: inout StoppedView.Container) throws {
        guard let expression = container.expression, let frame = container.frame else { return }
        let debugger = try stopped()
        let found = try debugger.replica.value(
            of: debugger.expressions.compile(expression.text), by: debugger.expressions,
            where: try content(at: frame.line).given, of: debugger.moment.input, at: frame.line,
            frame: frame.level, among: debugger.lines)
        container.value = found?.value
        container.isPlain = found?.isPlain ?? true
    }

    /// A value in the protocol's format, all of it if `isWhole`; `isWithin` is for one inside of
    /// what is not plain.
    func described(
        _ variable: LuaVariable, place: StoppedView.Place? = nil,
        expression: EvaluateName? = nil, frame: StoppedView.Frame? = nil, isWhole: Bool = false,
        isWithin: Bool = false
    ) -> Value.Record {
        let value = variable.value
        var text =
            isWhole
            ? value.withoutTargets.description : value.withoutTargets.summary(maxLength: 200)
        var type = variable.isNil ? "nil" : value.typeName
        if variable.isNil { text = "nil" }
        // As `print` writes it, and not as a literal.
        if value.int != nil || value.double != nil {
            text = debugger?.expressions.text(of: value) ?? text
        }
        if case .string(let likeness) = value, !variable.isPlain,
            let known = likeness.likenessType ?? (isWithin ? nil : "userdata")
        {
            text = known == "number" ? String(likeness.dropFirst().dropLast()) : likeness
            type = known
        }
        var record: Value.Record = [
            "result": .string(text), "type": .string(type), "variablesReference": 0,
        ]
        var container = StoppedView.Container(
            value: value, place: place, expression: expression, isPlain: variable.isPlain,
            frame: frame)
        switch value {
        case .list(let list) where !list.isEmpty:
            record["variablesReference"] = .int(view.number(of: container))
            record["indexedVariables"] = .int(list.count)
        case .record(let fields) where !fields.isEmpty:
            record["variablesReference"] = .int(view.number(of: container))
            record["namedVariables"] = .int(fields.count)
        case .string("<table>") where !variable.isPlain && expression != nil,
            .string("<cycle>") where !variable.isPlain && expression != nil:
            container.value = nil
            record["variablesReference"] = .int(view.number(of: container))
        default: break
        }
        return record
    }

    /// Describes several values as their list, without its braces.
    func described(all values: [Value]) -> Value.Record {
        var record = described(LuaVariable(value: .list(of: values)))
        let texts = values.map { $0 == .null ? "nil" : $0.withoutTargets.summary(maxLength: 200) }
        record["result"] = .string(texts.joined(separator: ", "))
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
        guard let failure = try debugger.lines.failure else { throw FlowError(.noFailure) }
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
        case .null: "null"
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

extension StoppedView.Container {
    /// The variables of a frame by name; a later one hides an earlier one.
    fileprivate init(_ variables: [LuaVariable]) {
        var shown: [String: LuaVariable] = [:]
        for variable in variables { shown[variable.name] = variable }
        self.init(value: .record(Value.Record(shown.mapValues(\.value))), expression: .variables)
        nils = Set(shown.values.filter(\.isNil).map(\.name))
        likenesses = Set(shown.values.filter { !$0.isPlain }.map(\.name))
    }
}

extension String {
    /// The type of a value that is not plain, if this is what is seen of one.
    fileprivate var likenessType: String? {
        guard first == "<", last == ">" else { return nil }
        if ["<inf>", "<-inf>", "<nan>"].contains(self) { return "number" }
        if self == "<cycle>" { return "table" }
        if hasSuffix(" bytes>") { return "string" }
        let word = dropFirst().prefix { $0.isLetter }
        return ["function", "thread", "table", "userdata"].first { $0 == word }
    }
}

extension StringProtocol {
    var trimmingSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
