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
    private static let maximumFiles = 32

    /// The condition that keeps a path out of the rendering, and the shortest way to it.
    func absence(of text: String) async throws(FlowError) -> [String] {
        let path = try ValuePath(typed: text)
        let rendering = await session.rendering
        guard rendering[path] == nil else { throw FlowError(.present, path) }
        var lines = ["  \(options.style.bold(printable(path.description)))  is not there"]
        lines += try await conditions(of: path, in: rendering)
        lines.append(try await wayTo(path))
        return lines
    }

    // MARK: Conditions

    /// The lines that would write the first missing field of a path, with the failed conditions.
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
            return ["  \(known) has \(String.counted(count, "element"))"]
        }
        let origin = try await session.origin(of: .rendering(known), at: nil, through: 0)
        guard let made = origin.findings.first(where: { $0.kind == .rendered }),
            let location = made.location
        else { return [] }
        let file = location.file
        let files = sources(from: file)
        guard !files.isEmpty else { return [] }
        var rows: [(file: String, Account)] = []
        let writings = FieldWriting.all(of: name, in: files)
        /// True if the line that made the existing part constructs a table with the field.
        let isConstructed = writings.contains {
            $0.place.file == file && $0.constructor == location.line
        }
        for writing in writings {
            let isOfAnother =
                writing.constructor != nil
                && (writing.constructor != location.line || writing.place.file != file)
            if isConstructed, isOfAnother { continue }
            rows.append((writing.place.file, try await account(of: writing, in: made.subject)))
        }
        // The others may write fields of other tables.
        let reasons = rows.filter(\.1.isReason)
        let shown = reasons.isEmpty ? rows.filter { $0.file == file } : reasons
        guard shown.isEmpty else { return shown.flatMap(\.1.lines) }
        return ["  no line of \(printable(file)) writes \(printable(name))"]
    }

    /// The text of a file, and those of the modules that it requires.
    private func sources(from file: String) -> [(file: String, text: [UInt8])] {
        var files: [(file: String, text: [UInt8])] = []
        var names = [file]
        while let name = names.popLast(), files.count < Self.maximumFiles {
            guard !files.contains(where: { $0.file == name }), let text = source(of: name) else {
                continue
            }
            files.append((name, text))
            names += FieldWriting.modules(in: text).map(FlowModules.file)
        }
        return files
    }

    private func source(of file: String) -> [UInt8]? {
        guard let folder = opened.file?.folderOfPath,
            let path = resolvedPath(folder.isEmpty ? file : "\(folder)/\(file)"),
            case .success(let bytes) = readFile(path)
        else { return nil }
        return bytes
    }

    /// The account of a line that would write the field.
    private struct Account {
        /// True if it keeps the field out for certain.
        var isReason: Bool
        var lines: [String]

        init(isReason: Bool, lines: [String]) { (self.isReason, self.lines) = (isReason, lines) }

        /// Says what of a file keeps it out.
        init(_ texts: [String], in file: String, isReason: Bool = true) {
            self.isReason = isReason
            lines = texts.map { "  but            " + printable("\(file):\($0)") }
        }
    }

    private func account(
        of writing: FieldWriting, in node: String
    ) async throws(FlowError) -> Account {
        let place = writing.place
        var account = try await reason(for: writing, in: node)
        account.lines.insert(
            "  written at     " + printable("\(place.file):\(place.line)  \(place.text)"), at: 0)
        return account
    }

    private func reason(
        for writing: FieldWriting, in node: String
    ) async throws(FlowError) -> Account {
        let place = writing.place
        if let obstacle = try await obstacle(to: place, in: node) { return obstacle }
        var lines: [String] = []
        for source in writing.sources {
            let account = try await account(of: source, in: node)
            if account.isReason { lines += account.lines }
        }
        guard lines.isEmpty else { return Account(isReason: true, lines: lines) }
        var texts: [String] = []
        for part in writing.operands {
            for operand in part {
                guard case .fails(let text) = try await ask(operand, in: place.file, of: node)
                else { continue }
                texts.append(text)
                break
            }
        }
        guard texts.isEmpty else { return Account(texts, in: place.file) }
        return Account(
            ["\(place.line) was run: it wrote nil, or into another table"], in: place.file,
            isReason: false)
    }

    /// The obstacle that keeps a place from being run; `nil` if it was run.
    private func obstacle(
        to place: FieldWriting.Place, in node: String
    ) async throws(FlowError) -> Account? {
        let file = place.file
        var unasked: FieldWriting.Condition?
        search: for condition in place.conditions {
            switch try await ask(condition, in: file, of: node) {
            case .holds: continue
            case .fails(let text), .failed(let text): return Account([text], in: file)
            case .notAsked:
                unasked = condition
                break search
            }
        }
        if unasked == nil, try await !hits(at: place.line, in: file, of: node).isEmpty {
            return nil
        }
        for exit in place.exits.reversed() {
            if let texts = try await reasons(of: exit, in: file, of: node) {
                return Account(texts, in: file)
            }
        }
        for line in place.loops {
            guard try await !hits(at: line, in: file, of: node).isEmpty else { continue }
            return Account(["\(line)  the loop did not come to line \(place.line)"], in: file)
        }
        for call in place.calls {
            if let obstacle = try await obstacle(to: call, in: node), obstacle.isReason {
                return obstacle
            }
        }
        let text = unasked.map { "\($0.line)  '\($0.text)' was not asked" }
        return Account([text ?? "\(place.line) was not run"], in: file, isReason: false)
    }

    /// An answer to the question whether a condition holds.
    private enum Answer {
        case holds
        /// It does not hold, at least once.
        case fails(String)
        case failed(String)
        /// Its line was not run.
        case notAsked
    }

    private func ask(
        _ condition: FieldWriting.Condition, in file: String, of node: String
    ) async throws(FlowError) -> Answer {
        let asked = try await hits(at: condition.line, "{\(condition.text)}", in: file, of: node)
        let values = asked.compactMap(\.value)
        let wrong = values.filter { $0.holds != condition.isWanted }
        let text = "\(condition.line)  '\(condition.text)'"
        if let value = wrong.first {
            let times =
                wrong.count < values.count ? ", \(wrong.count) of \(values.count) times" : ""
            return .fails("\(text) is \(value.conditionText)\(times)")
        }
        if case .failure(let error)? = asked.first?.content {
            return .failed("\(text) cannot be told: \(error.message)")
        }
        return asked.isEmpty ? .notAsked : .holds
    }

    /// The conditions under which a `return`, `break` or `goto` was run; `nil` if it was not.
    private func reasons(
        of exit: FieldWriting.Exit, in file: String, of node: String
    ) async throws(FlowError) -> [String]? {
        var texts: [String] = []
        for part in exit.conditions {
            let values = try await hits(at: part.line, "{\(part.text)}", in: file, of: node)
                .compactMap(\.value)
            guard let value = values.first(where: { $0.holds == part.isWanted }) else { return nil }
            texts.append("\(part.line)  '\(part.text)' is \(value.conditionText)")
        }
        guard try await !hits(at: exit.line, in: file, of: node).isEmpty else { return nil }
        guard let last = texts.popLast() else { return ["\(exit.line) \(exit.action)"] }
        return texts + ["\(last), so line \(exit.line) \(exit.action)"]
    }

    private func hits(
        at line: Int, _ text: String = "", in file: String, of node: String
    ) async throws(FlowError) -> [LogHit] {
        let point = LogPoint(file: file, line: line, text: text)
        return try await session.log([point], steps: nil).filter { "\($0.node)" == node }
    }

    // MARK: The way there

    private func wayTo(_ path: ValuePath) async throws(FlowError) -> String {
        guard let file = opened.file, resolvedPath(file) != nil else {
            return "  The flow is in no file here, so no way there is looked for."
        }
        let flow = options.flowOptions
        var search = FlowExplorationOptions(
            never: [path.expression], goesOnAfterOutputs: true, maximumStates: Self.maximumStates,
            maximumTime: Self.maximumTime, limits: flow.limits, plugins: flow.plugins,
            registerNativeWorkflows: flow.registerNativeWorkflows)
        search.snapshot = try await session.snapshot()
        search.snapshot?.isLenient = true
        search.endsWhenBroken = true
        let watch = options.interrupt.watch { [interrupt = search.interrupt] in interrupt.stop() }
        defer { options.interrupt.end(watch) }
        let seen = try FlowExplorer(.file(file), options: search).explore()
        let found = seen.findings.first { if case .broken = $0.kind { true } else { false } }
        if let steps = found?.steps {
            return "  appears after  " + printable(steps.map(\.title).joined(separator: ", "))
                + "  (\(String.counted(steps.count, "step")))"
        }
        let count = String.counted(seen.states.count, "state")
        return seen.limit == nil
            ? "  Nothing that can be done from here makes it appear: \(count) seen."
            : "  No way there was found in \(count); there are more than were looked at."
    }
}

extension Value {
    fileprivate var conditionText: String { self == .null ? "nil" : summary(maxLength: 40) }
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
