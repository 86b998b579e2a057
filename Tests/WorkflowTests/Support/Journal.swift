import Workflow

final class Journal {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// Options that journal the reports, but for those of debug builds alone.
    func options() -> HostOptions {
        HostOptions(onReport: {
            if case .inputsNotComparable = $0 { return }
            self.note("report: \($0)")
        })
    }
}

extension SendOutcome {
    /// The outcome without its failure, such as `dropped: nodeEnded`.
    var brief: String {
        switch self {
        case .applied: "applied"
        case .queued: "queued"
        case .failed: "failed"
        case .dropped(let reason): "dropped: \(reason)"
        }
    }

    var failure: WorkflowFailure? { if case .failed(let failure) = self { failure } else { nil } }
}

struct TestError: Error, CustomStringConvertible, Equatable {
    var description: String
    init(_ description: String) { self.description = description }
}
