public import WorkerKit

/// The plugin `process`: runs programs.
///
/// ```swift
/// options.plugins = try WorkerRegistry([ProcessPlugin.plugin])
/// options.grants = Grants([Grant("process", "git"), Grant("file.read", ".")], folder: folder)
/// ```
///
/// Every program needs a grant of its name or path, such as `process=git`. Each program has a
/// session of its own. It ends, with the processes that it started, when its run or the host ends.
public enum ProcessPlugin {
    /// `process.run` and `process.lines`.
    public static let plugin = Plugin(
        "process", version: "1.0.0", workers: [ProcessRun(), ProcessLines()])
}
