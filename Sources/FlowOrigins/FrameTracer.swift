import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// Evaluates an expression where a debugger has stopped, while a step is played again.
final class FrameTracer {
    /// What is known where the call has come to the line.
    struct Result {
        /// The number of the call.
        let call: Int
        let value: Value?
        /// The line that gave the expression its value; `nil` if it had it when the function began.
        let writer: FlowError.Location?
        /// The line of the function's caller.
        let caller: FlowError.Location?
    }

    private struct Known {
        var value: Value?
        var writer: FlowError.Location?
        var line: FlowError.Location?
    }

    private let frame: FlowFrame
    private let expression: FrameExpression
    private let expressions: FrameExpressions
    /// What the expression may not see.
    private let secrets: SecretTexts
    private var call = 0
    private var hits = 0
    /// The values in each of the functions under way, by their depths.
    private var known: [Int: Known] = [:]
    /// The results of all calls of that function of the node that come to the line so often.
    private(set) var results: [Result] = []

    init(
        _ frame: FlowFrame, _ expression: FrameExpression, _ expressions: FrameExpressions,
        hiding secrets: SecretTexts
    ) {
        self.frame = frame
        self.secrets = secrets
        self.expression = expression
        self.expressions = expressions
    }

    var trace: FlowTrace {
        FlowTrace(tellsReturns: true) { [unowned self] call, moment in meet(call, moment) }
    }

    private func meet(_ traced: TracedCall, _ moment: borrowing LuaMoment) {
        guard traced.node == frame.node, traced.phase == frame.phase else { return }
        if traced.number != call { (call, hits, known) = (traced.number, 0, [:]) }
        let depth = moment.depth
        known = known.filter { $0.key < depth || $0.key == depth && !moment.isReturn }
        guard !moment.isReturn, let location = location(moment, at: 0) else { return }
        let value = value(moment, at: 0)
        var now = known[depth] ?? Known(value: value)
        if now.value != value { (now.value, now.writer) = (value, now.line) }
        now.line = location
        known[depth] = now
        guard location == frame.location else { return }
        hits += 1
        if hits == frame.hits { addResult(moment) }
    }

    private func addResult(_ moment: borrowing LuaMoment) {
        let scripted = (0..<moment.depth).filter { location(moment, at: $0) != nil }
        guard scripted.indices.contains(frame.level) else { return }
        let level = scripted[frame.level]
        let caller = scripted.dropFirst(frame.level + 1).first
        results.append(
            Result(
                call: call, value: value(moment, at: level),
                writer: known[moment.depth - level]?.writer,
                caller: caller.flatMap { location(moment, at: $0) }))
    }

    private func value(_ moment: borrowing LuaMoment, at level: Int) -> Value? {
        if secrets.isEmpty,
            let value = expressions.quickValue(of: expression, at: moment, level: level)
        {
            return value
        }
        let values = secrets.values(of: expression.names, at: moment, level: level)
        return try? expressions.value(of: expression, where: values)
    }

    private func location(_ moment: borrowing LuaMoment, at level: Int) -> FlowError.Location? {
        guard let call = moment.call(at: level), call.location.line > 0 else { return nil }
        return FlowError.Location(call.location)
    }
}
