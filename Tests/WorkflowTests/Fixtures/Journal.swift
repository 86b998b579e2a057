import Workflow

final class Journal {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// A configuration that journals its reports, but for those of debug builds alone.
    func configuration() -> HostConfiguration {
        HostConfiguration(onReport: {
            if case .inputsNotComparable = $0 { return }
            self.note("report: \($0)")
        })
    }
}

struct TestError: Error, CustomStringConvertible, Equatable {
    var description: String
    init(_ description: String) { self.description = description }
}
