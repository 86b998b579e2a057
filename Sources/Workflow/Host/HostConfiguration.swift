/// The settings of a ``WorkflowHost``.
public struct HostConfiguration {
    /// How many nodes may stand above one another, the root included; 1,000 by default.
    ///
    /// A native child below that is a programmer's error and traps with the path; a workflow that
    /// interprets scripts asks ``RenderContext/allowsChildren`` first.
    public var maximumDepth: Int

    /// Called on the owner's isolation for each failure, dropped action and misuse.
    ///
    /// By default a line is written to standard error.
    public var onReport: (WorkflowReport) -> Void

    /// A configuration; every setting has a default.
    public init(
        maximumDepth: Int = 1000,
        onReport: @escaping (WorkflowReport) -> Void = HostConfiguration.printReport
    ) {
        self.maximumDepth = maximumDepth
        self.onReport = onReport
    }

    /// Writes a report as one line to standard error.
    public static func printReport(_ report: WorkflowReport) {
        var standardError = StandardError()
        print("workflow:", report, to: &standardError)
    }
}
