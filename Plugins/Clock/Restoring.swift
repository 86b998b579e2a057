import WorkerKit

/// What becomes of a timer whose session goes on from a snapshot.
enum Restoring: String, CaseIterable {
    /// It fires when it would have fired.
    case deadline
    /// It waits for as long as it still had to wait.
    case remaining
    /// It starts anew.
    case restart

    /// How much of the timer is over when a run starts.
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input` for a name that no policy has.
    static func passed(_ name: String?) throws(WorkerError) -> Duration {
        guard let policy = name.map(Restoring.init(rawValue:)) ?? .deadline else {
            throw WorkerError(
                "bad_input", "restore is \(name?.debugDescription ?? "missing")",
                help: "it can be \(allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let resumption = WorkerResumption.current else { return .zero }
        switch policy {
        case .deadline: return resumption.ran + resumption.paused
        case .remaining: return resumption.ran
        case .restart: return .zero
        }
    }
}
