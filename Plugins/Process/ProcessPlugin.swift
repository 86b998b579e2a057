public import WorkerKit

/// The plugin `process`: runs programs.
///
/// No program runs unless it is granted by its name or path, as in `process=git`. Each has a session
/// of its own, and ends, together with what it started, with its run and with the host.
public enum ProcessPlugin {
    /// `process.run` and `process.lines`.
    public static let plugin = Plugin(
        "process", version: "1.0.0", workers: [ProcessRun(), ProcessLines()])
}
