import WorkerKit

/// What becomes of a timer whose session goes on from a snapshot.
enum Restoring: String, CaseIterable {
    /// It fires when it would have fired.
    case deadline
    /// It waits for as long as it still had to wait.
    case remaining
    /// It starts anew.
    case restart

    /// The policy of a name; `deadline` for none.
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input` for a name that no policy has.
    init(name: String?) throws(WorkerError) {
        guard let policy = name.map(Self.init(rawValue:)) ?? .deadline else {
            throw WorkerError(
                "bad_input", "restore is \(name?.debugDescription ?? "missing")",
                help: "it can be \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = policy
    }

    /// How much of the timer is over when a run starts.
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
    /// Waits for a timer of a policy.
    ///
    /// For a deadline it does not matter whether the session is open meanwhile.
    func wait(for duration: Duration, _ policy: Restoring) async throws {
        if policy == .deadline {
            try await rest(for: duration)
        } else {
            try await sleep(for: duration)
        }
    }
}
