import FlowChecking
import FlowExploring
import FlowOrigins
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

// `.why not`: why a value is not in the rendering.
extension REPL {
    private static let maximumStates = 200
    private static let maximumTime = Duration.seconds(30)

    /// The condition that keeps a path out of the rendering, and the shortest way to make the path appear.
    func absence(of text: String) async throws(FlowError) -> [String] {
        let path = try Self.path(text)
        let rendering = await session.rendering
        guard rendering[path] == nil else {
            throw FlowError(
                .badAction, "\(path) is in the rendering",
                help: ".why \(path) says where it comes from")
        }
        var lines = ["  \(settings.style.bold(printable(path.description)))  is not there"]
        lines += try await conditions(of: path, in: rendering)
        lines.append(try await wayTo(path))
        return lines
    }

    // MARK: Conditions

    /// The lines that would write the first missing field of a path, each with the condition that failed.
    private func conditions(
        of path: ValuePath, in rendering: Value
    ) async throws(FlowError) -> [String] {
        var known = path
        var missing: ValuePath.Component?
        while rendering[known] == nil, let last = known.components.last {
            missing = last
            known = ValuePath(Array(known.components.dropLast()))
        }
        guard case .key(let name)? = missing else {
            let count = rendering[known]?.list?.count ?? 0
            return ["  \(known) has \(count) \(count == 1 ? "element" : "elements")"]
        }
        let origin = try await session.origin(of: known)
        guard let made = origin.findings.first(where: { $0.kind == .rendered }),
            let file = made.location?.file, let bytes = source(of: file)
        else { return [] }
        let writings = FieldWriting.all(of: name, in: bytes)
        var rows: [(isReason: Bool, text: [String])] = []
        for writing in writings {
            let (isReason, reason) = try await obstacle(to: writing, in: file, of: made.subject)
            let text = FieldWriting.line(writing.line, of: bytes)
            rows.append(
                (
                    isReason,
                    [
                        "  written at     " + printable("\(file):\(writing.line)  \(text)"),
                        "  but            " + printable("\(file):\(reason)"),
                    ]
                ))
        }
        // The others may write fields of other tables.
        let reasons = rows.filter(\.isReason)
        let shown = (reasons.isEmpty ? rows : reasons).flatMap(\.text)
        return shown.isEmpty ? ["  no line of \(printable(file)) writes \(printable(name))"] : shown
    }

    private func source(of file: String) -> [UInt8]? {
        guard let folder = opened.file?.folderOfPath,
            let path = resolvedPath(folder.isEmpty ? file : "\(folder)/\(file)"),
            case .success(let bytes) = readFile(path)
        else { return nil }
        return bytes
    }

    /// What is seen of a line that would write the field, and whether that keeps the field out for certain.
    private func obstacle(
        to writing: FieldWriting, in file: String, of node: String
    ) async throws(FlowError) -> (isReason: Bool, text: String) {
        var unasked: FieldWriting.Condition?
        for condition in writing.conditions {
            let asked = try await hits(
                at: condition.line, "{\(condition.text)}", in: file, of: node)
            let values = asked.compactMap(\.value)
            let wrong = values.filter { $0.holds != condition.isWanted }
            let how: String
            if let value = wrong.first {
                how =
                    "is \(value.summary(maxLength: 40))"
                    + (wrong.count < values.count
                        ? ", \(wrong.count) of \(values.count) times" : "")
            } else if case .failure(let error)? = asked.first?.content {
                how = "cannot be told: \(error.message)"
            } else if asked.isEmpty {
                unasked = condition
                break
            } else {
                continue
            }
            return (true, "\(condition.line)  '\(condition.text)' \(how)")
        }
        if unasked == nil, try await !hits(at: writing.line, in: file, of: node).isEmpty {
            return (false, "\(writing.line) was run: it wrote nil, or into another table")
        }
        for exit in writing.exits.reversed() {
            guard try await isTaken(exit, in: file, of: node) else { continue }
            return (true, "\(exit.line) returned before")
        }
        guard let unasked else { return (false, "\(writing.line) was not run") }
        return (true, "\(unasked.line)  '\(unasked.text)' was not asked")
    }

    /// Whether a `return` was run at least once.
    private func isTaken(
        _ exit: FieldWriting.Exit, in file: String, of node: String
    ) async throws(FlowError) -> Bool {
        for condition in exit.conditions {
            let asked = try await hits(
                at: condition.line, "{\(condition.text)}", in: file, of: node)
            guard asked.compactMap(\.value).contains(where: { $0.holds == condition.isWanted })
            else { return false }
        }
        return try await !hits(at: exit.line, in: file, of: node).isEmpty
    }

    private func hits(
        at line: Int, _ text: String = "", in file: String, of node: String
    ) async throws(FlowError) -> [LogHit] {
        let point = LogPoint(file: file, line: line, text: text)
        return try await session.logRendering([point]).filter { $0.node == node }
    }

    // MARK: The way there

    private func wayTo(_ path: ValuePath) async throws(FlowError) -> String {
        guard let file = opened.file, resolvedPath(file) != nil else {
            return "  The flow is in no file here, so no way there is looked for."
        }
        let flow = settings.options
        var options = FlowExplorationOptions(
            never: [path.expression], goesOnAfterOutputs: true, maximumStates: Self.maximumStates,
            maximumTime: Self.maximumTime, limits: flow.limits, plugins: flow.plugins,
            registerNativeWorkflows: flow.registerNativeWorkflows)
        options.snapshot = try await session.snapshot()
        options.snapshot?.isLenient = true
        options.endsWhenBroken = true
        let watch = settings.interrupt.watch { [interrupt = options.interrupt] in interrupt.stop() }
        defer { settings.interrupt.end(watch) }
        let seen = try FlowExplorer(.file(file), options: options).explore()
        let found = seen.findings.first { if case .broken = $0.kind { true } else { false } }
        if let steps = found?.steps {
            let count = steps.count == 1 ? "1 step" : "\(steps.count) steps"
            return "  appears after  "
                + printable(steps.map(\.title).joined(separator: ", ")) + "  (\(count))"
        }
        let count = seen.states.count == 1 ? "1 state" : "\(seen.states.count) states"
        return seen.limit == nil
            ? "  Nothing that can be done from here makes it appear: \(count) seen."
            : "  No way there was found in \(count); there are more than were looked at."
    }
}

extension LogHit {
    fileprivate var value: Value? { (try? content.get())?.values.first }
}

extension ValuePath {
    /// A Lua expression that is true if a rendering has a value at the path.
    fileprivate var expression: String {
        var text = "rendering"
        var parts: [String] = []
        for component in components {
            switch component {
            case .key(let key): text += "[\(Value.string(key))]"
            case .index(let index): text += "[\(index)]"
            }
            parts.append("\(text) ~= nil")
        }
        return parts.joined(separator: " and ")
    }
}
