import CustomDump
public import Workflow

/// Runs a whole tree for a test, with virtual time and no waiting.
///
/// Workers run on a ``VirtualExecutor`` and sleep on a ``VirtualClock``. Each call returns when
/// nothing is left to do until time advances or an action is sent.
///
/// ```swift
/// let tester = WorkflowTester(workflow: Search())
/// tester.send(.typed("ab")) { $0.sink }
/// tester.advance(by: .milliseconds(300))
/// tester.assert(rendering: \.results, ["abacus", "cabin"])
/// tester.finish()
/// ```
///
/// Failures are test issues, in Swift Testing and in XCTest, with the differences and the steps so
/// far. Work outside tasks, such as callbacks of a library, is not controlled: replace it.
public final class WorkflowTester<W: Workflow> {
    /// The host that runs the tree.
    public let host: WorkflowHost<W>
    /// The time of the workers.
    public let clock: VirtualClock

    private let executor: VirtualExecutor
    private let record: Record
    private let steps = TestSteps()
    private let place: TestLocation

    /// The number of rounds in a row in which workers may get ready before ``settle()`` fails.
    private static var limitOfRounds: Int { 100_000 }

    /// The outputs and reports that the test has not yet asserted.
    private final class Record {
        var outputs: [W.Output] = []
        var reports: [WorkflowReport] = []
    }

    /// Starts the tree of `workflow`.
    ///
    /// ```swift
    /// let tester = WorkflowTester(workflow: Search(), configure: { $0.isStrict = true })
    /// ```
    ///
    /// - Parameters:
    ///   - snapshot: The states to start from, or `nil` for new states.
    ///   - isolation: The owner; leave it to its default.
    ///   - configure: Changes the host's options, but for clock, executor and reports.
    ///   - fileID: The place of a report on a tree that never rests; keep the defaults.
    public init(
        workflow: W, restoring snapshot: TreeSnapshot? = nil,
        isolation: isolated (any Actor)? = #isolation,
        configure: (inout HostOptions) -> Void = { _ in }, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let clock = VirtualClock()
        let executor = VirtualExecutor()
        let record = Record()
        var options = HostOptions(onReport: { record.reports.append($0) })
        configure(&options)
        options.clock = clock
        options.workerExecutor = executor
        options.isPumped = true
        options.onReport = { record.reports.append($0) }
        self.clock = clock
        self.executor = executor
        self.record = record
        place = TestLocation(fileID, filePath, line, column)
        host = WorkflowHost(
            workflow: workflow, restoring: snapshot, options: options, isolation: isolation)
        host.onOutput = { record.outputs.append($0) }
        steps.record("started \(brief(workflow))")
        settle()
    }

    /// The current rendering.
    public var rendering: W.Rendering { host.rendering }

    /// Runs everything that can run without time passing.
    ///
    /// A worker that never sleeps keeps the tree from settling. After 100,000 rounds the test gets
    /// an issue, and the rest is left for the next call.
    ///
    /// - Warning: A worker that does not even suspend, such as a loop around `WorkerSink.send(_:)`,
    ///   never returns control, not even to a test.
    public func settle() {
        var rounds = Self.limitOfRounds
        repeat { host.settle() } while executor.runUntilIdle(rounds: &rounds) && rounds > 0
        guard rounds == 0 else { return }
        steps.fail(
            """
            The tree does not come to rest: after \(Self.limitOfRounds) rounds a worker is ready \
            again. A worker without end must wait for something, such as `WorkerClock.sleep(for:)`.
            """, at: place)
    }

    /// Sends `action` to the sink that `sink` finds in the current rendering.
    ///
    /// ```swift
    /// tester.send(.typed("ab"), to: \.sink)
    /// ```
    public func send<Action>(
        _ action: sending Action, isolation: isolated (any Actor)? = #isolation,
        to sink: (W.Rendering) -> Sink<Action>
    ) {
        steps.record("sent \(brief(action))")
        sink(host.rendering).send(action, isolation: isolation)
        settle()
    }

    /// Acts on the current rendering, such as by calling one of its closures; `step` describes that
    /// in the list of steps.
    ///
    /// ```swift
    /// tester.perform("cleared") { $0.sink.send(.typed("")) }
    /// ```
    public func perform(_ step: String, _ body: (W.Rendering) -> Void) {
        steps.record(step)
        body(host.rendering)
        settle()
    }

    /// Gives the root new inputs.
    ///
    /// ```swift
    /// counter.update(workflow: Counter(step: 5))
    /// ```
    public func update(workflow: W) {
        steps.record("updated to \(brief(workflow))")
        host.update(workflow: workflow)
        settle()
    }

    /// Advances time. Sleepers wake at their deadlines within it.
    ///
    /// ```swift
    /// tester.advance(by: .milliseconds(300))
    /// ```
    public func advance(by duration: Duration) {
        steps.record("advanced by \(duration)")
        let end = clock.now.advanced(by: duration)
        while let next = clock.nextDeadline, next <= end {
            clock.advance(to: next)
            settle()
        }
        clock.advance(to: end)
        settle()
    }

    /// Fails unless the current rendering equals `expected`.
    ///
    /// ```swift
    /// stopwatch.advance(by: .seconds(2))
    /// stopwatch.assert(rendering: "2 s")
    /// ```
    public func assert(
        rendering expected: W.Rendering, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) where W.Rendering: Equatable {
        steps.compare(
            "The rendering differs", expected, host.rendering,
            at: TestLocation(fileID, filePath, line, column))
    }

    /// Fails unless a part of the current rendering equals `expected`.
    ///
    /// ```swift
    /// tester.assert(rendering: \.results.count, 2)
    /// ```
    public func assert<Part: Equatable>(
        rendering part: (W.Rendering) -> Part, _ expected: Part, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        steps.compare(
            "The rendering differs", expected, part(host.rendering),
            at: TestLocation(fileID, filePath, line, column))
    }

    /// Fails unless the next output that was not asserted yet equals `expected`.
    ///
    /// ```swift
    /// button.send(3) { $0 }
    /// button.assert(output: 3)
    /// ```
    public func assert(
        output expected: W.Output, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) where W.Output: Equatable {
        let place = TestLocation(fileID, filePath, line, column)
        let output = record.outputs.isEmpty ? nil : record.outputs.removeFirst()
        steps.compare(output: expected, with: output, at: place)
    }

    /// Fails unless the text of the next report that was not asserted yet is `expected`.
    ///
    /// ```swift
    /// tester.assertReport("the worker Search/LookUp failed: CancellationError()")
    /// ```
    public func assertReport(
        _ expected: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let place = TestLocation(fileID, filePath, line, column)
        guard !record.reports.isEmpty else {
            return steps.fail("There was no report; expected:\n  \(expected)", at: place)
        }
        steps.compare(
            "The report differs", expected, record.reports.removeFirst().description, at: place)
    }

    /// Shuts the host down; fails if there were outputs or reports that were not asserted.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let place = TestLocation(fileID, filePath, line, column)
        host.shutDown()
        settle()
        steps.refuse("output", record.outputs, at: place)
        for report in record.reports { steps.fail("Unexpected report: \(report)", at: place) }
        record.outputs = []
        record.reports = []
    }
}
