package import LuaVM
public import WorkflowKit
public import WorkflowLua

/// A Lua test file.
///
/// ```swift
/// let results = try FlowTestFile(.file("todo_test.lua")).run()
/// ```
///
/// Each file has its own interpreter, and each test its own flows. No worker runs and time is
/// virtual, so a test gives the same result each time.
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
    /// ```swift
    /// try FlowTestFile(.file("todo_test.lua")).run(onResult: { result in
    ///     if let failure = result.failure { print(result.fullName, failure.error.message) }
    /// })
    /// ```
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
        var results: [FlowTestResult] = []
        for test in try selected(of: script) {
            let result = script.run(test)
            results.append(result)
            onResult(result)
        }
        return results
    }

    /// Runs a test after those before it, with a trace of its own lines.
    ///
    /// - Parameters:
    ///   - number: The index of the test among the results of ``run(onPrint:onResult:)``.
    ///   - onLine: Called before each line of the test and of the functions that it calls, except
    ///     flows, until it returns `false`. The test ends there.
    /// - Throws: The `FlowError` if the file does not load.
    package func run(
        tracing number: Int, onLine: @escaping (TestLine, borrowing LuaMoment) -> Bool
    ) throws(FlowError) -> FlowTestResult {
        let script = try TestScript(source, options: options, onPrint: { _ in })
        let tests = try selected(of: script)
        guard tests.indices.contains(number) else { throw FlowError(.otherTests) }
        for test in tests[..<number] { _ = script.run(test) }
        return try script.run(tests[number], tracing: onLine)
    }

    private func selected(of script: TestScript) throws(FlowError) -> [TestCase] {
        try script.load()
        return script.tests.filter { options.selects($0.path) }
    }
}

extension FlowTestOptions {
    fileprivate func selects(_ path: [String]) -> Bool {
        guard let filter, !filter.isEmpty else { return true }
        return path.joined(separator: " ").contains(filter)
    }
}
