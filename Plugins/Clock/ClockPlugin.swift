public import WorkerKit

/// The plugin `clock`: waits and ticks on the clock of the session.
///
/// In tests that clock is virtual, so that nothing waits there.
public enum ClockPlugin {
    /// `clock.after` and `clock.every`.
    public static let plugin = Plugin(
        "clock", version: "1.0.0", workers: [ClockAfter(), ClockEvery()])
}
