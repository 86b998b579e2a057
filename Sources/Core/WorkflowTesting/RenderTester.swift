public import Workflow

extension Workflow {
    /// Makes a tester of one render of this workflow, with its children and effects replaced.
    ///
    /// ```swift
    /// Search().renderTester(initialState: .init(results: ["abacus"]))
    ///     .render { #expect($0.results == ["abacus"]) }
    /// ```
    public func renderTester(initialState state: State) -> RenderTester<Self> {
        RenderTester(workflow: self, state: state)
    }

    /// Makes a tester of one render of this workflow in its initial state.
    ///
    /// ```swift
    /// Search().renderTester().render { #expect($0.results == []) }
    /// ```
    public func renderTester() -> RenderTester<Self> {
        renderTester(initialState: makeInitialState())
    }
}

/// Renders a workflow once, alone. The test lists its children and effects, which are replaced.
///
/// ```swift
/// ProfileWorkflow(userID: 7)
///     .renderTester(initialState: .loading)
///     .expectWorker(LoadUser(id: 7), producingOutput: User(name: "Ada"))
///     .render { rendering in #expect(rendering.title == "Loading") }
///     .assert(state: .loaded("Ada"))
/// ```
///
/// An unexpected child, worker or side effect fails the test, and so does an expected one that is
/// not declared. Failures are test issues, in Swift Testing and in XCTest.
public struct RenderTester<W: Workflow> {
    private let workflow: W
    private let state: W.State
    private var expectations: [any RenderExpectation] = []
    private var sideEffects: [ExpectedSideEffect<W>] = []
    private var reports: [String] = []

    init(workflow: W, state: W.State) {
        self.workflow = workflow
        self.state = state
    }

    /// Expects a child.
    ///
    /// ```swift
    /// Scoreboard(teams: ["red"]).renderTester()
    ///     .expectWorkflow(type: Counter.self, key: "red", producingRendering: red)
    ///     .render { #expect($0.total == red.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of its workflow before mappings, or the `AnyWorkflow` that is rendered.
    ///   - output: The output that it emits right after the render, if any.
    ///   - assertions: Checks the child's inputs.
    public func expectWorkflow<Child: Workflow>(
        type: Child.Type, key: String = "", producingRendering rendering: Child.Rendering,
        producingOutput output: Child.Output? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        assertions: @escaping (Child) -> Void = { _ in }
    ) -> RenderTester {
        expecting(
            ExpectedWorkflow(
                key: key, rendering: rendering, output: output, assertions: assertions,
                place: TestLocation(fileID, filePath, line, column)))
    }

    /// Expects a child, and ignores its outputs.
    ///
    /// - Parameters:
    ///   - type: The type of its workflow before mappings.
    ///   - assertions: Checks the child's inputs; nothing by default.
    public func expectWorkflowIgnoringOutput<Child: Workflow>(
        type: Child.Type, key: String = "", producingRendering rendering: Child.Rendering,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, assertions: @escaping (Child) -> Void = { _ in }
    ) -> RenderTester {
        expectWorkflow(
            type: type, key: key, producingRendering: rendering, fileID: fileID,
            filePath: filePath, line: line, column: column, assertions: assertions)
    }

    /// Expects a worker that is equivalent to `worker`, which does not run.
    ///
    /// ```swift
    /// tester.expectWorker(LookUp(text: "ab"), producingOutput: ["abacus"]).render()
    /// ```
    ///
    /// - Parameter output: The output that it emits right after the render, if any.
    public func expectWorker<Expected: EmittingWorker>(
        _ worker: Expected, key: String = "", producingOutput output: Expected.Output? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> RenderTester {
        expecting(
            ExpectedWorker(
                worker: worker, key: key, result: output.map { .success($0) },
                place: TestLocation(fileID, filePath, line, column)))
    }

    /// Expects a worker equivalent to `worker`, which does not run but emits `output`, if any,
    /// after the render.
    ///
    /// - Parameter output: The output right after the render; `nil` for none.
    public func expectWorker<Expected: EmittingWorker>(
        _ worker: Expected, mockingOutput output: Expected.Output?, key: String = "",
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> RenderTester {
        expectWorker(
            worker, key: key, producingOutput: output, fileID: fileID, filePath: filePath,
            line: line, column: column)
    }

    /// Expects a worker that is equivalent to `worker`, and that fails right after the render.
    ///
    /// ```swift
    /// tester.expectWorker(LookUp(text: "ab"), failingWith: CancellationError())
    ///     .expectReport("the worker Search/LookUp failed: CancellationError()")
    ///     .render()
    /// ```
    ///
    /// - Parameter error: The error that its parent or the host gets.
    public func expectWorker<Expected: EmittingWorker>(
        _ worker: Expected, key: String = "", failingWith error: any Error,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> RenderTester {
        expecting(
            ExpectedWorker(
                worker: worker, key: key, result: .failure(error),
                place: TestLocation(fileID, filePath, line, column)))
    }

    /// Expects a side effect; it does not run.
    ///
    /// ```swift
    /// tester.expectSideEffect(key: "save").render()
    /// ```
    public func expectSideEffect(
        key: some Hashable, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> RenderTester {
        var next = self
        next.sideEffects.append(
            ExpectedSideEffect(
                key: AnyHashable(key), send: nil,
                place: TestLocation(fileID, filePath, line, column)))
        return next
    }

    /// Expects a side effect, which does not run but sends `action` right after the render.
    ///
    /// ```swift
    /// tester.expectSideEffect(key: "load", producingAction: Search.Action.typed("ab")).render()
    /// ```
    public func expectSideEffect<Action: WorkflowAction & Sendable>(
        key: some Hashable, producingAction action: Action, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RenderTester where Action.WorkflowType == W {
        var next = self
        next.sideEffects.append(
            ExpectedSideEffect(
                key: AnyHashable(key),
                send: { host in
                    let root = NodePath([NodePath.Component(name: host.describeTree().name)])
                    host.sink(of: Action.self, at: root)?.send(action)
                },
                place: TestLocation(fileID, filePath, line, column)))
        return next
    }

    /// Expects a report, such as that of a failed action. Reports come after those of the render.
    public func expectReport(_ description: String) -> RenderTester {
        var next = self
        next.reports.append(description)
        return next
    }

    /// Renders, emits the expected outputs, and passes the rendering to `assertions`, which may use
    /// its sinks and closures.
    ///
    /// ```swift
    /// Search().renderTester()
    ///     .render { $0.sink.send(.typed("ab")) }
    ///     .assert(action: Search.Action.typed("ab"))
    /// ```
    ///
    /// - Throws: The error of `assertions`.
    @discardableResult
    public func render(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, isolation: isolated (any Actor)? = #isolation,
        assertions: (W.Rendering) throws -> Void
    ) rethrows -> RenderTesterResult<W> {
        let place = TestLocation(fileID, filePath, line, column)
        let test = RenderTest(
            workflow: workflow, state: state, expectations: expectations, sideEffects: sideEffects,
            place: place)
        var options = HostOptions(onReport: { test.reports.append("\($0)") })
        options.interceptors = [test]
        options.observers = [test]
        options.isPumped = true
        let host = WorkflowHost(workflow: workflow, options: options, isolation: isolation)
        host.onOutput = { test.outputs.append($0) }
        test.failLeftOver()
        test.emitOutputs(host)
        try assertions(host.rendering)
        host.settle()
        test.compareReports(with: reports)
        defer { host.shutDown() }
        return RenderTesterResult(
            initialState: state, state: test.state, actions: test.actions, outputs: test.outputs,
            steps: test.steps)
    }

    /// Renders like ``render(fileID:filePath:line:column:isolation:assertions:)``, without checks.
    @discardableResult
    public func render(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, isolation: isolated (any Actor)? = #isolation
    ) -> RenderTesterResult<W> {
        render(
            fileID: fileID, filePath: filePath, line: line, column: column, isolation: isolation,
            assertions: { _ in })
    }

    private func expecting(_ expectation: any RenderExpectation) -> RenderTester {
        var next = self
        next.expectations.append(expectation)
        return next
    }
}
