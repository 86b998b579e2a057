import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// Evaluates an expression at the place where a debugger has stopped, while a step is replayed.
final class FrameTracer {
    /// The account from where the call has come to the line.
    struct Result {
        let call: Int
        let value: Value?
        /// The line that gave the expression its value; `nil` if it had it when the function began.
        let writer: FlowError.Location?
        let caller: FlowError.Location?
    }

    private struct Known {
        var value: Value?
        var writer: FlowError.Location?
        /// The line that was told last.
        var line: FlowError.Location?
        /// The number of the moment when that was.
        var moment = 0
    }

    private let frame: FlowFrame
    private let expression: FrameExpression
    private let expressions: FrameExpressions
    /// The secrets, which the expression may not see.
    private let secrets: SecretTexts
    private var call = 0
    private var hits = 0
    /// The number of moments so far.
    private var count = 0
    /// The last change by a function that has the variable from one around it.
    private var sharedChange: Known?
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
        if traced.number != call {
            (call, hits, known, sharedChange) = (traced.number, 0, [:], nil)
        }
        let depth = moment.depth
        known = known.filter { $0.key <= depth }
        guard let location = location(moment, at: 0) else { return }
        count += 1
        known[depth] = now(moment, after: known[depth], at: depth)
        known[depth]?.line = location
        known[depth]?.moment = count
        if moment.isReturn {
            known[depth] = nil
        } else if location == frame.location {
            hits += 1
            if hits == frame.hits { addResult(moment) }
        }
    }

    /// The account of the value in the innermost function.
    private func now(_ moment: borrowing LuaMoment, after before: Known?, at depth: Int) -> Known {
        let value = value(moment, at: 0)
        guard var now = before else {
            guard isShared(moment) else { return Known(value: value) }
            let outer = known.filter { $0.key < depth }.max { $0.key < $1.key }?.value
            let source = [sharedChange, outer].compactMap(\.self).first { $0.value == value }
            return Known(value: value, writer: source?.writer)
        }
        guard now.value != value else { return now }
        now.value = value
        if let change = sharedChange, change.moment > now.moment, change.value == value {
            now.writer = change.writer
        } else {
            now.writer = now.line
        }
        now.moment = count
        if isShared(moment) { sharedChange = now }
        return now
    }

    /// True if the innermost function has a variable of the expression from a function around it.
    private func isShared(_ moment: borrowing LuaMoment) -> Bool {
        let locals = Set(moment.locals().map(\.name))
        let upvalues = Set(moment.upvalues().map(\.name))
        return expression.names.contains { upvalues.contains($0) && !locals.contains($0) }
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
        if secrets.names.isEmpty,
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
