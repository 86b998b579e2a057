import WorkerKit

/// Converts a time from a flow and checks its bounds.
func duration(_ seconds: Double, least: Double) throws(WorkerError) -> Duration {
    try (least...Double.mostSeconds).check("seconds", seconds)
    return .seconds(seconds)
}
