public import WorkerKit

/// The plugin `clock`: timers on the session's clock.
///
/// ```swift
/// options.plugins = try WorkerRegistry([ClockPlugin.plugin])
/// ```
///
/// In tests that clock is virtual, so tests do not wait.
public enum ClockPlugin {
    /// `clock.after` and `clock.every`.
    public static let plugin = Plugin(
        "clock", version: "1.0.0", workers: [ClockAfter(), ClockEvery()])
}
