import Workflow

/// Collects what a test observes, in order.
final class Journal {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    /// What was noted since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// A configuration whose reports are noted as their descriptions.
    func configuration() -> HostConfiguration {
        HostConfiguration(onReport: { self.note("report: \($0)") })
    }
}

/// An error with a text, for what a test makes fail.
struct TestError: Error, CustomStringConvertible, Equatable {
    var description: String
    init(_ description: String) { self.description = description }
}
