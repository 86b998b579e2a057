public import WorkerKit

/// The plugin `clock`: timers on the session's clock.
///
/// ```swift
/// var options = FlowOptions()
/// options.plugins = try WorkerRegistry([ClockPlugin.plugin])
/// let session = try await FlowSession.open(.file(tea), options: options)
/// ```
///
/// In tests that clock is virtual, so tests do not wait.
public enum ClockPlugin {
    /// `clock.after` and `clock.every`.
    public static let plugin = Plugin(
        "clock", version: "1.0.0", workers: [ClockAfter(), ClockEvery()])
}
