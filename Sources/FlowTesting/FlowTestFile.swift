public import WorkflowKit
public import WorkflowLua

/// A file of tests in Lua.
///
/// ```swift
/// let results = try FlowTestFile(.file("todo_test.lua")).run()
/// ```
///
/// Each file has an interpreter of its own, and each test flows of its own. No worker ever runs and time is virtual, so
/// that a test gives the same result each time.
public struct FlowTestFile: Sendable {
    /// The file, or its text.
    public var source: FlowSource
    /// Limits, plugins and the like.
    public var options: FlowTestOptions

    /// A file of tests; nothing is read before it is run.
    public init(_ source: FlowSource, options: FlowTestOptions = FlowTestOptions()) {
        self.source = source
        self.options = options
    }

    /// Runs the tests in the order in which the file defines them, on the caller's thread.
    ///
    /// - Parameters:
    ///   - onPrint: Called with each line that a test or a flow prints.
    ///   - onResult: Called after each test.
    /// - Returns: The results in order; empty if the file defines no tests, or none that the filter lets through.
    /// - Throws: The `FlowError` that keeps the file from loading.
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
