public import Workflow

/// The results of a render under test; see
/// ``RenderTester/render(fileID:filePath:line:column:isolation:assertions:)``.
///
/// ```swift
/// Search()
///     .renderTester(initialState: .init(text: "ab"))
///     .expectWorker(LookUp(text: "ab"), producingOutput: ["abacus"])
///     .render { rendering in #expect(rendering.results == []) }
///     .assert(action: Search.Action.found(["abacus"]))
///     .assert(state: .init(text: "ab", results: ["abacus"]))
/// ```
public struct RenderTesterResult<W: Workflow> {
    private let initialState: W.State
    /// The state after all actions.
    public let state: W.State
    /// The actions that were applied to the workflow, in order.
    public let actions: [any WorkflowAction]
    /// The outputs that the workflow emitted, in order.
    public let outputs: [W.Output]
    private let steps: TestSteps

    init(
        initialState: W.State, state: W.State, actions: [any WorkflowAction], outputs: [W.Output],
        steps: TestSteps
    ) {
        self.initialState = initialState
        self.state = state
        self.actions = actions
        self.outputs = outputs
        self.steps = steps
    }

    /// Passes the state to `body`, which checks it.
    ///
    /// - Throws: The error of `body`.
    @discardableResult
    public func verifyState(_ body: (W.State) throws -> Void) rethrows -> RenderTesterResult {
        try body(state)
        return self
    }

    /// Fails if an action was applied.
    ///
    /// ```swift
    /// Search().renderTester().render().assertNoAction()
    /// ```
    @discardableResult
    public func assertNoAction(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> RenderTesterResult {
        steps.refuse("action", actions, at: TestLocation(fileID, filePath, line, column))
        return self
    }

    /// Fails unless the last action that was applied equals `expected`.
    ///
    /// ```swift
    /// result.assert(action: Search.Action.typed("ab"))
    /// ```
    @discardableResult
    public func assert<Action: WorkflowAction & Equatable>(
        action expected: Action, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RenderTesterResult where Action.WorkflowType == W {
        let place = TestLocation(fileID, filePath, line, column)
        if let action = last(Action.self, expected: brief(expected), at: place) {
            steps.compare("The action differs", expected, action, at: place)
        }
        return self
    }

    /// Passes the last applied action to `assertions`; fails without one of this type.
    ///
    /// ```swift
    /// result.verifyAction(type: Search.Action.self) { #expect($0 != .typed("")) }
    /// ```
    ///
    /// - Throws: The error of `assertions`.
    @discardableResult
    public func verifyAction<Action: WorkflowAction>(
        type: Action.Type = Action.self, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        assertions: (Action) throws -> Void
    ) rethrows -> RenderTesterResult where Action.WorkflowType == W {
        let place = TestLocation(fileID, filePath, line, column)
        try last(type, expected: "one of \(type)", at: place).map(assertions)
        return self
    }

    private func last<Action>(
        _ type: Action.Type, expected: String, at place: TestLocation
    ) -> Action? {
        let absence = "There was no action; expected \(expected)."
        guard let last = steps.require(actions.last, or: absence, at: place) else { return nil }
        let difference = "The action is \(brief(last)), of another type; expected \(expected)."
        return steps.require(last as? Action, or: difference, at: place)
    }

    /// Passes the last output to `assertions`, which checks it; fails if there is none.
    ///
    /// - Throws: The error of `assertions`.
    @discardableResult
    public func verifyOutput(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, assertions: (W.Output) throws -> Void
    ) rethrows -> RenderTesterResult {
        let place = TestLocation(fileID, filePath, line, column)
        try steps.require(outputs.last, or: "There was no output.", at: place).map(assertions)
        return self
    }

    /// Fails if there was an output.
    @discardableResult
    public func assertNoOutput(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> RenderTesterResult {
        steps.refuse("output", outputs, at: TestLocation(fileID, filePath, line, column))
        return self
    }
}

extension RenderTesterResult where W.State: Equatable {
    /// Fails unless the state equals `expected`.
    ///
    /// ```swift
    /// result.assert(state: .init(text: "ab", results: ["abacus"]))
    /// ```
    @discardableResult
    public func assert(
        state expected: W.State, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RenderTesterResult {
        let place = TestLocation(fileID, filePath, line, column)
        steps.compare("The state differs", expected, state, at: place)
        return self
    }

    /// Fails unless the state equals the initial state after `changes`.
    ///
    /// ```swift
    /// result.assertStateModifications { $0.results = ["abacus"] }
    /// ```
    ///
    /// - Throws: The error of `changes`.
    @discardableResult
    public func assertStateModifications(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ changes: (inout W.State) throws -> Void
    ) rethrows -> RenderTesterResult {
        var expected = initialState
        try changes(&expected)
        return assert(
            state: expected, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}

extension RenderTesterResult where W.Output: Equatable {
    /// Fails unless the last output equals `expected`.
    @discardableResult
    public func assert(
        output expected: W.Output, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RenderTesterResult {
        let place = TestLocation(fileID, filePath, line, column)
        steps.compare(output: expected, with: outputs.last, at: place)
        return self
    }
}
