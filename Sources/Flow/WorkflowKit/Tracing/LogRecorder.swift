import LuaVM
import WorkflowLua

/// Records the hits of log points while steps of a flow are replayed.
final class LogRecorder {
    private struct Compiled {
        let file: String
        let line: Int
        let text: LogText
        let condition: FrameExpression?
    }

    private let expressions: FrameExpressions
    private let points: [Compiled]
    private let lines: LuaTracedLines
    /// The points at each of the lines.
    private let pointsAt: [[Int]]
    let secrets: SecretTexts
    private let onHit: (LogHit) -> Void
    var step: Int
    /// The number of the failed input that is replayed, among all that failed; `nil` for a step.
    var failure: Int?
    var failureCount = 0

    /// - Throws: A `FlowError` for an invalid expression, an unknown file, or lines without code.
    init(
        _ points: [LogPoint], of flow: LuaFlow, limits: LuaVM.Options,
        secrets: SecretTexts, step: Int, onHit: @escaping (LogHit) -> Void
    ) throws(FlowError) {
        let expressions = try FrameExpressions(limits: limits)
        self.expressions = expressions
        self.secrets = secrets
        self.step = step
        self.onHit = onHit
        let compiled = try points.map { point throws(FlowError) in
            let text = try LogText(point.text, expressions)
            let condition = try point.condition.map { (condition) throws(FlowError) in
                try expressions.compile(condition)
            }
            let file = try Self.file(point.file, among: flow.files)
            guard let line = flow.lineOfCode(from: point.line, in: file) else {
                throw FlowError(.noCode, point.line, file)
            }
            return Compiled(file: file, line: line, text: text, condition: condition)
        }
        let places = compiled.map { LuaLocation(chunk: $0.file, line: $0.line) }
        let lines = LuaTracedLines(Set(places))
        self.points = compiled
        self.lines = lines
        pointsAt = lines.locations.map { line in places.indices.filter { places[$0] == line } }
    }

    /// The places of the points; one in a line without code is moved to the next with code.
    var places: [FlowError.Location] { points.map { .init(file: $0.file, line: $0.line) } }

    private static func file(_ name: String, among files: [String]) throws(FlowError) -> String {
        if let file = files.first(where: { $0 == name || name.hasSuffix("/" + $0) }) {
            return file
        }
        throw FlowError(
            .noFileOfFlow, name, suggestion(for: name, among: files, noun: "files"),
            files.joined(separator: ", "))
    }

    var trace: FlowTrace {
        FlowTrace(lines: lines) { [unowned self] call, moment in meet(call, moment) }
    }

    private func meet(_ call: TracedCall, _ moment: borrowing LuaMoment) {
        guard let line = moment.tracedLine else { return }
        for index in pointsAt[line] {
            guard let content = content(of: points[index], at: moment) else { continue }
            onHit(
                LogHit(
                    step: step, call: call.number, node: call.node, phase: call.phase,
                    location: .init(file: points[index].file, line: points[index].line),
                    content: content, failure: failure))
        }
    }

    /// The content of a hit; `nil` if the condition is false, or the replay was interrupted.
    private func content(
        of point: Compiled, at moment: borrowing LuaMoment
    ) -> Result<LogHit.Content, FlowError>? {
        do throws(FlowError) {
            if let condition = point.condition,
                !(try expressions.holds(condition, at: moment, hiding: secrets))
            {
                return nil
            }
            return .success(try point.text.content(at: moment, expressions, hiding: secrets))
        } catch {
            return error.code == .interrupted ? nil : .failure(error)
        }
    }
}
