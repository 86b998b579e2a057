public import WorkerKit

/// The plugin `file`: reads, writes, lists and watches files.
///
/// ```swift
/// options.plugins = try WorkerRegistry([FilePlugin.plugin])
/// options.grants = Grants([Grant("file.read", "notes")], folder: "/srv")
/// ```
///
/// All access needs a grant, such as `file.read=notes`. Paths are relative to the flow's folder.
public enum FilePlugin {
    /// `file.read`, `file.write`, `file.list` and `file.watch`.
    public static let plugin = Plugin(
        "file", version: "1.0.0",
        workers: [FileRead(), FileWrite(), FileList(), FileWatch()])
}
