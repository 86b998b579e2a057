package import PlainValue
package import Terminal
package import WorkflowKit

extension ReplayDifference {
    package func lines(_ changes: ChangePrinter, _ style: Style) -> [String] {
        switch content {
        case .rendering(let recorded, let now): changes.lines(from: recorded, to: now)
        case .outputs(let recorded, let now):
            changes.lines(
                from: .record(["outputs": .list(of: recorded)]),
                to: .record(["outputs": .list(of: now)]))
        case .error(let recorded, let now):
            [
                "  error  \(printable(now ?? "none"))",
                "  " + style.dim("was    \(printable(recorded ?? "none"))"),
            ]
        }
    }

    /// The difference as a record for programs.
    package var record: Value {
        var record: Value.Record = ["type": "difference", "step": .int(step)]
        if let input { record["after"] = .string(input.title) }
        switch content {
        case .rendering(let recorded, let now):
            record["rendering"] = .record(["recorded": recorded, "now": now])
        case .outputs(let recorded, let now):
            record["outputs"] = .record([
                "recorded": .list(of: recorded), "now": .list(of: now),
            ])
        case .error(let recorded, let now):
            record["error"] = .record([
                "recorded": recorded.map { .string($0) } ?? .null,
                "now": now.map { .string($0) } ?? .null,
            ])
        }
        return .record(record)
    }
}
