import FlowOrigins
import FlowPrinting
import PlainValue
import Terminal
import Workflow
import WorkflowKit
import WorkflowLua

/// The lines that a REPL logs, and the last step whose hits it has shown.
struct SessionLog {
    var points: [LogPoint] = []
    var step = 0
    /// The last failed input whose hits were shown.
    var failure = 0
    /// True if an input may have failed since.
    var hasNewFailure = false
    /// While an earlier step is shown: that step, and the input after it. If another input takes
    /// its place, all later steps are new.
    var past: (step: Int, next: FlowInput)?
}

/// A question of `.why`: `PATH [of NODE] [at STEP] [through WRITES]`.
private struct OriginQuestion {
    /// The text without the step and the number of writes.
    var text: String
    /// The path, and the node whose value it is.
    var path: String
    var node: String?
    var step: Int?
    /// The number of writes that are followed.
    var depth: Int?

    init(_ typed: String) {
        text = typed
        depth = Self.number(behind: "through", in: &text)
        step = Self.number(behind: "at", in: &text)
        path = text
        guard let of = text.ranges(of: " of ").last else { return }
        node = text[of.upperBound...].trimmed
        path = text[..<of.lowerBound].trimmed
    }

    /// The name with which the path begins.
    var root: String {
        String(path.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    var names: [String] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }

    private static func number(behind word: String, in text: inout String) -> Int? {
        guard let place = text.ranges(of: " \(word) ").last,
            let number = Int(natural: text[place.upperBound...].trimmed)
        else { return nil }
        text = text[..<place.lowerBound].trimmed
        return number
    }
}

// `.why` and `.log`.
extension REPL {
    // MARK: Why

    /// The origin of a value, or why a node was rendered; `frame` is where a debugger has stopped.
    func origin(of typed: String, in frame: FlowFrame? = nil) async throws(FlowError) -> [String] {
        let printer = OriginPrinter(style: options.style, start: narrator.log.start)
        let question = OriginQuestion(typed)
        let text = question.text
        if let frame, question.step == nil, !frame.names.isDisjoint(with: question.names) {
            return printer.lines(
                try await session.origin(
                    ofExpression: text, in: frame, through: question.depth ?? 1))
        }
        let nodes = await session.nodes()?.all ?? []
        if let subject = try await subject(of: question, among: nodes) {
            return printer.lines(
                try await session.origin(
                    of: subject, at: question.step, through: question.depth ?? 1))
        }
        if let node = nodes.first(where: { $0.path.description == text || $0.title == text }),
            await session.rendering[ValuePath([.key(text)])] == nil
        {
            return printer.lines(try await session.origin(ofNode: node.path))
        }
        let path = try ValuePath(typed: text)
        var rendering = await session.rendering
        if let step = question.step { rendering = try await session.rendering(at: step) }
        guard rendering[path] != nil else { throw FlowError(.absent, text) }
        return printer.lines(
            try await session.origin(
                of: .rendering(path), at: question.step, through: question.depth ?? 0))
    }

    /// The value of a state, of props or of an action that a question is about; `nil` for the
    /// rendering, whose own fields of these names come first.
    private func subject(
        of question: OriginQuestion, among nodes: [FlowNode]
    ) async throws(FlowError) -> OriginSubject? {
        guard ["state", "props", "action"].contains(question.root) else { return nil }
        let root = ValuePath([.key(question.root)])
        if question.node == nil, await session.rendering[root] != nil { return nil }
        let whole = try ValuePath(typed: question.path)
        let path = ValuePath(Array(whole.components.dropFirst()))
        var node: NodePath?
        if let name = question.node {
            guard
                let found = nodes.first(where: { $0.path.description == name || $0.title == name })
            else {
                throw FlowError(
                    .noNode, name, didYouMean(name, among: nodes.map(\.path.description)))
            }
            node = found.path
        }
        return switch question.root {
        case "state": .state(path, of: node)
        case "props": .props(path, of: node)
        default: .action(path, of: node)
        }
    }

    // MARK: Log

    /// Logs a line from the beginning on, lists the logged lines, or stops logging one.
    func log(_ argument: String) async throws(FlowError) -> [String] {
        if argument.isEmpty { return listOfPoints }
        let words = argument.split(separator: " ")
        if words.first == "off" { return try endLogging(words.dropFirst()) }
        let point = try Self.point(argument)
        let count = await session.status.stepCount
        let hits = try await session.log([point], steps: 0...count)
        logging.points.append(point)
        logging.step = count
        logging.failure = max(logging.failure, hits.compactMap(\.failure).max() ?? 0)
        guard !hits.isEmpty else {
            return ["  The line was not run so far; it is logged from now on."]
        }
        var printer = HitPrinter(style: options.style)
        let line = hits[0].location.line
        let isMoved = line != point.line
        return
            (isMoved ? ["  There is no code in line \(point.line); line \(line) is logged."] : [])
            + [printer.header()] + hits.map { printer.line($0) }
    }

    static func point(_ text: String) throws(FlowError) -> LogPoint {
        // The text may contain `where` too; the last one counts.
        guard let place = text.ranges(of: " where ").last,
            text[place.upperBound...].allSatisfy({ $0 != "{" && $0 != "}" })
        else { return try LogPoint(parsing: text) }
        return try LogPoint(
            parsing: String(text[..<place.lowerBound]), where: String(text[place.upperBound...]))
    }

    private var listOfPoints: [String] {
        guard !logging.points.isEmpty else { return ["No line is logged."] }
        return logging.points.enumerated().map { index, point in
            "  \(index + 1)  "
                + printable("\(point)" + (point.condition.map { " where \($0)" } ?? ""))
        }
    }

    private func endLogging(_ words: ArraySlice<Substring>) throws(FlowError) -> [String] {
        guard words.count == 1, let number = words.first.flatMap({ Int(natural: $0) }),
            logging.points.indices.contains(number - 1)
        else { throw FlowError(.noPointNumber) }
        return ["  No more: " + printable("\(logging.points.remove(at: number - 1))")]
    }

    /// The hits of the logged lines in the steps since the last call.
    func newHits() async -> [REPLMessage] {
        guard !logging.points.isEmpty else { return [] }
        let status = await session.status
        let count = status.stepCount
        if logging.past != nil || status.isInPast {
            let inputs = await session.inputs
            if let past = logging.past, inputs.dropFirst(past.step).first != past.next {
                logging.step = min(logging.step, past.step)
            }
            // Another program may report more steps than it has inputs for.
            let next = status.isInPast ? inputs.dropFirst(status.step).first : nil
            logging.past = next.map { (status.step, $0) }
        }
        let last = min(logging.step, count)
        let hasNewFailure = logging.hasNewFailure
        (logging.step, logging.hasNewFailure) = (count, false)
        guard last < count || hasNewFailure else { return [] }
        do throws(FlowError) {
            // A failed input follows a step whose hits were shown.
            let first = hasNewFailure ? min(last, status.step) : last + 1
            assert(first <= count)
            var hits = try await session.log(logging.points, steps: first...count)
            hits.removeAll { hit in
                hit.failure.map { $0 <= logging.failure } ?? (hit.step <= last)
            }
            logging.failure = max(logging.failure, hits.compactMap(\.failure).max() ?? 0)
            var printer = HitPrinter(style: options.style)
            return REPLMessage.result(hits.map { printer.line($0) })
        } catch {
            return [.notice("note: nothing is logged: \(printable(error.message))\n")]
        }
    }
}
