package import LuaVM
import PlainValue
package import WorkflowLua

/// Writes down what log points ask for, while steps of a flow are played again.
///
/// Values are copied where they are met, and expressions are evaluated after the step, so that nothing of it counts
/// for the flow.
package final class LogRecorder {
    private struct Compiled {
        let file: String
        let line: Int
        let text: LogText
        let condition: FrameExpression?
        let names: Set<String>
    }

    private struct Met {
        let point: Int
        let call: Int
        let node: String
        let phase: FlowPhase
        let variables: [String: Value]
    }

    private let expressions: FrameExpressions
    private let points: [Compiled]
    private let lines: LuaTracedLines
    /// The points at each of the lines.
    private let pointsAt: [[Int]]
    private let secrets: Set<String>
    private let onHit: (LogHit) -> Void
    private var met: [Met] = []
    private var step = 0
    /// How many are kept before they are evaluated.
    private static let most = 4096

    /// - Parameters:
    ///   - files: Those of the flow, relative to its folder.
    ///   - secrets: The names of variables and fields whose values are not to be seen.
    ///   - onHit: Called with each hit, in order.
    /// - Throws: A `FlowError` for an expression that is none, or a file that is not one of the flow's.
    package init(
        _ points: [LogPoint], files: [String], limits: LuaVM.Configuration,
        secrets: Set<String> = [],
        onHit: @escaping (LogHit) -> Void
    ) throws(FlowError) {
        let expressions = try FrameExpressions(limits: limits)
        self.expressions = expressions
        self.secrets = secrets
        self.onHit = onHit
        let compiled = try points.map { point throws(FlowError) in
            let text = try LogText(point.text, expressions)
            let condition = try point.condition.map { (condition) throws(FlowError) in
                try expressions.compile(condition)
            }
            return Compiled(
                file: try Self.file(point.file, among: files), line: point.line, text: text,
                condition: condition, names: text.names.union(condition?.names ?? []))
        }
        let places = compiled.map { LuaLocation(chunk: $0.file, line: $0.line) }
        let lines = LuaTracedLines(Set(places))
        self.points = compiled
        self.lines = lines
        pointsAt = lines.locations.map { line in places.indices.filter { places[$0] == line } }
    }

    private static func file(
        _ name: String, among files: [String]
    ) throws(FlowError) -> String {
        if let file = files.first(where: { $0 == name || name.hasSuffix("/" + $0) }) {
            return file
        }
        throw FlowError(
            .file,
            "the flow has no file '\(name)'" + suggestion(for: name, among: files, noun: "files"),
            help: "its files are \(files.joined(separator: ", "))")
    }

    /// What is to be traced.
    package var trace: FlowTrace {
        FlowTrace(lines: lines) { [unowned self] call, moment in
            meet(call, moment)
        }
    }

    private func meet(_ call: TracedCall, _ moment: borrowing LuaMoment) {
        guard let line = moment.tracedLine else { return }
        for index in pointsAt[line] {
            met.append(
                Met(
                    point: index, call: call.number, node: call.node, phase: call.phase,
                    variables: shown(moment.values(of: points[index].names))))
        }
        if met.count >= Self.most { evaluate() }
    }

    /// The values of variables, without what is secret.
    private func shown(_ variables: [String: Value]) -> [String: Value] {
        guard !secrets.isEmpty else { return variables }
        var shown = variables
        for (name, value) in variables {
            shown[name] = secrets.contains(name) ? "[secret]" : value.redacting(secrets)
        }
        return shown
    }

    /// To be called after each step that was traced.
    package func end(step: Int) {
        self.step = step
        evaluate()
    }

    private func evaluate() {
        for met in met {
            let point = points[met.point]
            let content: Result<LogHit.Content, FlowError>
            do throws(FlowError) {
                if let condition = point.condition {
                    let value = try expressions.value(of: condition, where: met.variables)
                    if value == .null || value == .bool(false) { continue }
                }
                content = .success(try point.text.content(where: met.variables, expressions))
            } catch {
                content = .failure(error)
            }
            onHit(
                LogHit(
                    step: step, call: met.call, node: met.node, phase: met.phase,
                    location: .init(file: point.file, line: point.line), content: content))
        }
        met.removeAll(keepingCapacity: true)
    }
}
