import WorkerKit

/// The policy for a timer when its session is resumed from a snapshot.
enum RestorePolicy: String, CaseIterable {
    /// It fires at the original time.
    case deadline
    /// It waits for the remaining time.
    case remaining
    /// It starts again.
    case restart

    /// The policy with a name; `deadline` without one. Throws `bad_input` for an unknown name.
    init(name: String?) throws(WorkerError) {
        guard let policy = name.map(Self.init(rawValue:)) ?? .deadline else {
            throw WorkerError(
                "bad_input", "restore is \(name?.debugDescription ?? "missing")",
                help: "it can be \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = policy
    }

    /// The part of the timer that has passed when a run starts.
    var passed: Duration {
        guard let resumption = WorkerResumption.current else { return .zero }
        return switch self {
        case .deadline: resumption.ran + resumption.paused
        case .remaining: resumption.ran
        case .restart: .zero
        }
    }
}

extension WorkerContext {
    /// Waits for a timer with a policy. A deadline passes even while the session is closed.
    func wait(for duration: Duration, _ policy: RestorePolicy) async throws {
        if policy == .deadline {
            try await rest(for: duration)
        } else {
            try await sleep(for: duration)
        }
    }
}
