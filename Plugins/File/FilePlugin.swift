public import WorkerKit

/// The plugin `file`: reads, writes, lists and watches files.
///
/// Nothing is reached that is not granted, as in `file.read=notes`. Paths start from the flow's
/// folder.
public enum FilePlugin {
    /// `file.read`, `file.write`, `file.list` and `file.watch`.
    public static let plugin = Plugin(
        "file", version: "1.0.0",
        workers: [FileRead(), FileWrite(), FileList(), FileWatch()])
}
