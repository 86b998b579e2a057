import FlowExploring
import FlowPrinting
import PlainValue
import Terminal

struct ExplorationText {
    /// The maximum number of dead ends to show, because there can be many.
    private static let mostDeadEnds = 5

    let style: Style
    /// The action fields that the flow reads, by action type.
    var readFields: [String: [String]] = [:]

    func text(_ seen: FlowExploration) -> String {
        var lines: [String] = []
        var deadEnds = 0
        for finding in seen.findings {
            if case .deadEnd = finding.kind {
                deadEnds += 1
                if deadEnds > Self.mostDeadEnds { continue }
            }
            lines += self.lines(finding) + [""]
        }
        if deadEnds > Self.mostDeadEnds {
            lines += ["… and \(deadEnds - Self.mostDeadEnds) more dead ends", ""]
        }
        for (expression, way) in seen.reached {
            lines += ["\(style.green("reachable:")) \(printable(expression))"] + steps(way) + [""]
        }
        for sink in seen.unmatchedSinks {
            lines.append(
                line("never there:", "\(sink)", "no rendering that was seen has this sink"))
        }
        for refusal in seen.refusals {
            let type = refusal.action["type"]?.string ?? ""
            lines.append(
                line(
                    "never taken:", "\(refusal.title): \(refusal.message)",
                    "with other fields? --action '\(type){ … }'"))
        }
        for (type, fields) in seen.sentFields.sorted(by: { $0.key < $1.key }) {
            // Refused actions are listed above.
            guard !seen.refusals.contains(where: { $0.action["type"]?.string == type }) else {
                continue
            }
            let missing = (readFields[type] ?? []).filter { !fields.contains($0) }
            guard !missing.isEmpty else { continue }
            let given = missing.map { "\($0) = …" }.joined(separator: ", ")
            lines.append(
                line(
                    "never given:", "\(missing.joined(separator: ", ")) of \(type)",
                    "give it: --action '\(type){ \(given) }'"))
        }
        for worker in seen.idleWorkers {
            lines.append(
                line("never did anything:", "worker \(worker)", "let it: --worker '\(worker)=…'"))
        }
        for (worker, near) in seen.missingWorkers {
            let advice = near.map { "did you mean \($0)?" } ?? "no state that was seen runs it"
            lines.append(line("never ran:", "worker \(worker)", advice))
        }
        lines.append(summary(seen))
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(_ label: String, _ subject: String, _ advice: String) -> String {
        "\(style.cyan(label)) \(printable(subject)) " + style.dim("(\(printable(advice)))")
    }

    private func summary(_ seen: FlowExploration) -> String {
        let result =
            seen.findings.isEmpty
            ? style.green("nothing found") : style.red("\(seen.findings.count) found")
        let states = String.counted(seen.states.count, "state")
        let steps = String.counted(seen.transitions.count, "step")
        let beyond = seen.states.count { $0.isBeyond }
        let end =
            switch seen.limit {
            case nil where beyond > 0: "that is all within, and \(beyond) just beyond"
            case nil: "that is all there is"
            case .states?: "stopped at --max-states"
            case .depth?: "stopped at --max-depth"
            case .time?: "stopped at --max-seconds"
            case .memory?: "stopped at --max-megabytes"
            }
        let walks =
            switch seen.walks {
            case 0: ""
            case 1: ", then walked once at random"
            default: ", then walked \(seen.walks) times at random"
            }
        return "\(printable(seen.flow)): \(result) in \(states) and \(steps) between them; "
            + end + walks
    }

    private func lines(_ finding: FlowExploration.Finding) -> [String] {
        switch finding.kind {
        case .error(let error):
            return ErrorPrinter(style: style).lines(error) + steps(finding.steps)
        case .deadEnd(let refused):
            let title = "\(style.red("dead end:")) nothing that can be done here changes anything"
            return [title] + steps(finding.steps)
                + refused.map {
                    "  \(style.dim("refused here:")) \(printable($0.title)): "
                        + "\(printable($0.message))"
                }
        case .broken(let expression):
            return ["\(style.red("never:")) \(printable(expression)) is true"]
                + steps(finding.steps)
        case .missed(let expression, let again):
            let rest =
                again.map {
                    $0 + 1 == finding.steps.count
                        ? "step \($0 + 1) again and again"
                        : "steps \($0 + 1) to \(finding.steps.count) again and again"
                } ?? "it may end there"
            return [
                "\(style.red("eventually:")) \(printable(expression)) never becomes "
                    + "true on this way"
            ] + steps(finding.steps) + ["  \(style.dim("then"))  \(rest)"]
        case .unreachable(let expression):
            return ["\(style.red("reachable:")) \(printable(expression)) is true in no state seen"]
        }
    }

    private func steps(_ steps: [ExploredStep]) -> [String] {
        if steps.isEmpty { return ["  at the beginning"] }
        return [style.dim("steps:")]
            + steps.enumerated().map { "  \($0.offset + 1). \(printable($0.element.title))" }
    }
}
