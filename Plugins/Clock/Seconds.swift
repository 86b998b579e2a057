import WorkerKit

/// Converts a time from a flow and checks its bounds.
func duration(_ seconds: Double, least: Double) throws(WorkerError) -> Duration {
    guard seconds.isFinite, seconds >= least, seconds <= .mostSeconds else {
        throw WorkerError(
            "bad_input", "seconds is \(text(seconds))",
            help: "it can be from \(text(least)) to \(text(.mostSeconds))")
    }
    return .seconds(seconds)
}

/// A number in everyday notation.
private func text(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
}
