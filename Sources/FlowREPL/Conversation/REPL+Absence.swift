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
        var lines: [String] = []
        for writing in FieldWriting.all(of: name, in: bytes) {
            lines +=
                try await rows(of: writing, in: file, bytes, of: made.subject) ?? []
        }
        return lines.isEmpty ? ["  no line of \(printable(file)) writes \(printable(name))"] : lines
    }

    private func source(of file: String) -> [UInt8]? {
        guard let folder = opened.file?.folderOfPath,
            let path = resolvedPath(folder.isEmpty ? file : "\(folder)/\(file)"),
            case .success(let bytes) = readFile(path)
        else { return nil }
        return bytes
    }

    /// A line that would write the field, and its first condition that fails; `nil` if all hold.
    private func rows(
        of writing: FieldWriting, in file: String, _ source: [UInt8], of node: String
    ) async throws(FlowError) -> [String]? {
        for condition in writing.conditions {
            let point = LogPoint(file: file, line: condition.line, text: "{\(condition.text)}")
            let hits = try await session.logRendering([point]).filter { $0.node == node }
            let values = hits.compactMap(\.value)
            let wrong = values.filter { $0.holds != condition.isWanted }
            let how: String
            if let value = wrong.first {
                how =
                    "is \(value.summary(maxLength: 40))"
                    + (wrong.count < values.count
                        ? ", \(wrong.count) of \(values.count) times" : "")
            } else if case .failure(let error)? = hits.first?.content {
                how = "cannot be told: \(error.message)"
            } else if hits.isEmpty {
                how = "was not asked"
            } else {
                continue
            }
            let text = FieldWriting.line(writing.line, of: source)
            return [
                "  written at     " + printable("\(file):\(writing.line)  \(text)"),
                "  but            "
                    + printable("\(file):\(condition.line)  '\(condition.text)' \(how)"),
            ]
        }
        return nil
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
