import WorkflowKit

/// The time of a tested flow: it begins at 0 and passes only when the test says so.
final class VirtualTime {
    var now = Duration.zero

    var seconds: Double { now / .seconds(1) }
    var milliseconds: Int { Int(now / .milliseconds(1)) }
}
