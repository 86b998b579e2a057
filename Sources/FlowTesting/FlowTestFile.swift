public import WorkflowKit
public import WorkflowLua

/// A Lua test file.
///
/// ```swift
/// let results = try FlowTestFile(.file("todo_test.lua")).run()
/// ```
///
/// Each file has its own interpreter, and each test its own flows. No worker runs and time is virtual, so a test
/// gives the same result each time.
public struct FlowTestFile: Sendable {
    /// The file, or its text.
    public var source: FlowSource
    /// Limits, plugins and other settings.
    public var options: FlowTestOptions

    /// Makes a test file. It is read when it is run.
    public init(_ source: FlowSource, options: FlowTestOptions = FlowTestOptions()) {
        self.source = source
        self.options = options
    }

    /// Runs the tests in the order in which the file defines them, on the caller's thread.
    ///
    /// - Parameters:
    ///   - onPrint: Called with each line that a test or a flow prints.
    ///   - onResult: Called after each test.
    /// - Returns: The results in order; empty if no test of the file matches the filter.
    /// - Throws: The `FlowError` if the file does not load.
    @discardableResult
    public func run(
        onPrint: @escaping (FlowLog) -> Void = { _ in },
        onResult: (FlowTestResult) -> Void = { _ in }
    ) throws(FlowError) -> [FlowTestResult] {
        let script = try TestScript(source, options: options, onPrint: onPrint)
        try script.load()
        var results: [FlowTestResult] = []
        for test in script.tests where options.selects(test.path) {
            let result = script.run(test)
            results.append(result)
            onResult(result)
        }
        return results
    }
}

extension FlowTestOptions {
    fileprivate func selects(_ path: [String]) -> Bool {
        guard let filter, !filter.isEmpty else { return true }
        return path.joined(separator: " ").contains(filter)
    }
}
