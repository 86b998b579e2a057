import WorkerKit

/// A hundred years, which is as good as for ever.
private let longest = 3_155_760_000.0

/// A time that flows may ask for.
func duration(_ seconds: Double, least: Double) throws(WorkerError) -> Duration {
    guard seconds.isFinite, seconds >= least, seconds <= longest else {
        throw WorkerError(
            "bad_input", "seconds is \(seconds)",
            help: "it can be from \(least) to \(Int(longest))")
    }
    return .seconds(seconds)
}
