import LuaVM
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// The breakpoints that a client has set, as it sent them.
struct WantedBreakpoints {
    /// The line breakpoints by source path.
    var lines: [String: [(id: Int, wanted: Value)]] = [:]
    var calls: [(id: Int, wanted: Value)] = []
    /// The call breakpoints that were reported as unverified.
    var doubtful: Set<Int> = []
    var data: [(id: Int, wanted: Value)] = []
    var lastID = 0

    mutating func number(_ wanted: Value?) -> [(id: Int, wanted: Value)] {
        (wanted?.list ?? []).map { wanted in
            lastID += 1
            return (lastID, wanted)
        }
    }
}

extension DebugAdapter {
    func setBreakpoints(_ arguments: Value) async throws -> Answer {
        let source = arguments["source"] ?? [:]
        let key = source["path"]?.string ?? source["name"]?.string ?? ""
        let numbered = wanted.number(
            arguments["breakpoints"]
                ?? .list(of: (arguments["lines"]?.list ?? []).map { ["line": $0] }))
        wanted.lines[key] = numbered
        let body = reply(to: numbered)
        let logging = Set(numbered.filter { $0.wanted["logMessage"]?.string != nil }.map(\.id))
        guard !logging.isEmpty else { return (body, nil) }
        return (body, { await self.reporting { try self.logPast(of: logging) } })
    }

    func setFunctionBreakpoints(_ arguments: Value) throws -> Value {
        wanted.calls = wanted.number(arguments["breakpoints"])
        wanted.doubtful = Set(wanted.calls.map(\.id).filter { problem(ofCall: $0) != nil })
        return reply(to: wanted.calls)
    }

    /// Reports call breakpoints whose status has changed.
    func reviewCalls() {
        for (id, _) in wanted.calls {
            let problem = problem(ofCall: id)
            guard (problem != nil) != wanted.doubtful.contains(id) else { continue }
            wanted.doubtful.formSymmetricDifference([id])
            let told = problem.map { unverified(id, $0) } ?? ["id": .int(id), "verified": true]
            tell("breakpoint", ["reason": "changed", "breakpoint": told])
        }
    }

    /// The reason why a call breakpoint may never stop.
    private func problem(ofCall id: Int) -> String? {
        guard let call = wanted.calls.first(where: { $0.id == id }) else { return nil }
        return debugger.flatMap { debugger in
            Breakpoint.place(ofCall: call.wanted["name"]?.string ?? "")
                .problem(among: debugger.replica.functions)
        }
    }

    func setDataBreakpoints(_ arguments: Value) throws -> Value {
        wanted.data = wanted.number(arguments["breakpoints"])
        return reply(to: wanted.data)
    }

    func setExceptionBreakpoints(_ arguments: Value) -> Value {
        let filters = arguments["filters"]?.list?.compactMap(\.string) ?? []
        let known = filters.map(StoppingFailures.Filter.init(rawValue:))
        failures.filters = Set(known.compactMap(\.self))
        installBreakpoints()
        return ["breakpoints": .list(of: known.map { ["verified": .bool($0 != nil)] })]
    }

    private func reply(to numbered: [(id: Int, wanted: Value)]) -> Value {
        let replies = installBreakpoints()
        return ["breakpoints": .list(of: numbered.map { replies[$0.id] ?? unverified($0.id, nil) })]
    }

    private func unverified(_ id: Int, _ message: String?) -> Value {
        var reply: Value.Record = ["id": .int(id), "verified": false]
        if let message { reply["message"] = .string(message) }
        return .record(reply)
    }

    /// Sets the client's breakpoints in the debugger, as far as possible, and returns the replies
    /// by id.
    @discardableResult
    func installBreakpoints() -> [Int: Value] {
        guard let debugger else { return [:] }
        var installed: [Breakpoint] = []
        var replies: [Int: Value] = [:]
        func install(
            _ id: Int, _ wanted: Value, _ more: Value.Record = [:],
            _ place: () throws -> Breakpoint.Place
        ) {
            do {
                installed.append(
                    try Breakpoint(id: id, place: place(), wanted, debugger.expressions))
                replies[id] = .record(
                    more.merging(["id": .int(id), "verified": true]) { _, new in new })
            } catch {
                replies[id] = unverified(id, "\(error)")
            }
        }
        for (path, numbered) in wanted.lines {
            let file = file(["path": .string(path)])
            let lines = file.map(codeLines)
            for (id, wanted) in numbered {
                let line = wanted["line"]?.natural ?? 0
                let code = lines?.first(from: line)
                var more: Value.Record = ["line": .int(code ?? line)]
                if let file { more["source"] = source(file) }
                install(id, wanted, more) {
                    _ = try wanted.natural("line")
                    guard let file, let lines else {
                        throw FlowError(path.hasSuffix("_test.lua") ? .otherTest : .otherFile)
                    }
                    return try Self.place(ofLine: code, in: file, lines, debugger.replica.test)
                }
            }
        }
        for (id, wanted) in wanted.calls {
            install(id, wanted) { Breakpoint.place(ofCall: wanted["name"]?.string ?? "") }
            // It is set anyway: a node that is rendered later may have the function.
            if replies[id]?["verified"] == true, let problem = problem(ofCall: id) {
                replies[id] = unverified(id, problem)
            }
        }
        for (id, wanted) in wanted.data {
            install(id, wanted) {
                try Self.place(ofData: secretTexts.unnamed(wanted["dataId"]?.string ?? ""))
            }
        }
        debugger.set(installed)
        debugger.failures = failures
        return replies
    }

    private static func place(
        ofLine line: Int?, in file: String, _ lines: CodeLines, _ test: TestLines?
    ) throws(FlowError) -> Breakpoint.Place {
        guard let line else { throw FlowError(.noCode) }
        guard lines.ofFunctions.contains(line) else { throw FlowError(.runsAtLoad) }
        if let test, test.files.contains(file),
            test.indices(of: LuaLocation(chunk: file, line: line)).isEmpty
        {
            throw FlowError(.notOfTest, test.name)
        }
        return .line(file: file, line: line)
    }

    // MARK: Data

    /// The id of a path: `state|todo|items[2].done` or `rendering||rows[1]`.
    private static func place(ofData id: String) throws -> Breakpoint.Place {
        let parts = id.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let path = try? ValuePath(parsing: String(parts[2])) else {
            throw FlowError(.noPathOfData, id)
        }
        switch parts[0] {
        case "state":
            let node = parts[1].replacing("%7C", with: "|").replacing("%25", with: "%")
            return .state(node: NodePath(String(node)) ?? NodePath([]), path: path)
        case "rendering": return .rendering(path: path)
        default: throw FlowError(.noPathOfData, id)
        }
    }

    /// The beginning of the data ids of a node's state. A node's key may contain any characters.
    static func dataRoot(ofState node: NodePath) -> String {
        "state|" + "\(node)".replacing("%", with: "%25").replacing("|", with: "%7C")
    }

    /// True if a data breakpoint watches a secret value.
    func isSecret(_ id: Int) -> Bool {
        guard let data = wanted.data.first(where: { $0.id == id })?.wanted["dataId"]?.string,
            let path = data.split(separator: "|", maxSplits: 2).last.flatMap({
                try? ValuePath(parsing: String($0))
            })
        else { return false }
        return secretTexts.hides(path)
    }

    func dataBreakpointInfo(_ arguments: Value) throws -> Value {
        _ = try stopped()
        let name = arguments["name"]?.string ?? ""
        guard let place = try watched(name, arguments) else {
            var text = "Only a state and the rendering can be watched."
            if (try? ValuePath(parsing: name)) == nil, let meant = ValuePath(reading: name) {
                text = "This is written as \(meant)."
            }
            return ["dataId": .null, "description": .string(text)]
        }
        let shown = ValuePath([.key(String(place.root.prefix { $0 != "|" }))])
        return [
            "dataId": .string("\(place.root)|\(place.path)"), "accessTypes": ["write"],
            "canPersist": true, "description": .string("\(shown.appending(place.path))"),
        ]
    }

    /// The place that a watched name stands for, such as `state|todo` and `items[2].done`.
    private func watched(_ name: String, _ arguments: Value) throws -> StoppedView.Place? {
        if let number = try arguments.natural("variablesReference"), number > 0 {
            return view.container(number)?.place(of: name)
        }
        let path = try? ValuePath(parsing: name)
        let inside = ValuePath(Array(path?.components.dropFirst() ?? []))
        switch path?.components.first {
        case .key("rendering"): return .init(root: "rendering|", path: inside)
        case .key("state"):
            let content = try content(ofFrame: arguments)
            guard content.phase != .load else { return nil }
            let root = Self.dataRoot(ofState: content.node)
            return .init(root: root, path: inside)
        default: return nil
        }
    }

    // MARK: Logs

    /// Sends what log points would have logged so far.
    func logPast(of ids: Set<Int>) throws {
        try debugger?.logs(of: ids) { [unowned self] in tell($0) }
    }

    func tell(_ log: BreakpointLog) {
        let text: String =
            switch log.text {
            case .success(let text): text
            case .failure(let error): "error: \(error.message)"
            }
        tell(
            "output",
            [
                "category": "console", "output": .string(text + "\n"),
                "source": source(log.location.file), "line": .int(log.location.line),
            ])
    }
}

extension Breakpoint {
    /// - Throws: A `FlowError` for a condition or a text that cannot be read.
    fileprivate init(
        id: Int, place: Place, _ wanted: Value, _ expressions: FrameExpressions
    ) throws {
        self.init(id: id, place: place)
        if let text = wanted["condition"]?.string, !text.isEmpty {
            condition = try expressions.compile(text)
        }
        if let text = wanted["hitCondition"]?.string, !text.isEmpty {
            hitCondition = HitCondition(text)
            if hitCondition == nil { throw FlowError(.noHitCondition, text) }
        }
        if let text = wanted["logMessage"]?.string { log = try LogText(text, expressions) }
    }
}
