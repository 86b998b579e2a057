public import Workflow

/// The results of a render under test; see
/// ``RenderTester/render(fileID:filePath:line:column:isolation:assertions:)``.
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
    @discardableResult
    public func verifyState(_ body: (W.State) throws -> Void) rethrows -> RenderTesterResult {
        try body(state)
        return self
    }

    /// Fails if an action was applied.
    @discardableResult
    public func assertNoAction(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> RenderTesterResult {
        for action in actions {
            steps.fail(
                "Unexpected action: \(brief(action))",
                at: TestLocation(fileID, filePath, line, column))
        }
        return self
    }

    /// Fails unless the last action that was applied equals `expected`.
    @discardableResult
    public func assert<Action: WorkflowAction & Equatable>(
        action expected: Action, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RenderTesterResult where Action.WorkflowType == W {
        let place = TestLocation(fileID, filePath, line, column)
        guard let last = actions.last else {
            steps.fail("There was no action; expected \(brief(expected)).", at: place)
            return self
        }
        guard let action = last as? Action else {
            steps.fail(
                "The action is \(brief(last)), of another type than \(brief(expected)).", at: place)
            return self
        }
        steps.compare("The action differs", expected, action, at: place)
        return self
    }

    /// Passes the last applied action to `assertions`; fails without one of this type.
    @discardableResult
    public func verifyAction<Action: WorkflowAction>(
        type: Action.Type = Action.self, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        assertions: (Action) throws -> Void
    ) rethrows -> RenderTesterResult where Action.WorkflowType == W {
        let place = TestLocation(fileID, filePath, line, column)
        guard let last = actions.last else {
            steps.fail("There was no action; expected one of \(type).", at: place)
            return self
        }
        guard let action = last as? Action else {
            steps.fail("The action is \(brief(last)); expected one of \(type).", at: place)
            return self
        }
        try assertions(action)
        return self
    }

    /// Passes the last output to `assertions`, which checks it; fails if there is none.
    @discardableResult
    public func verifyOutput(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, assertions: (W.Output) throws -> Void
    ) rethrows -> RenderTesterResult {
        guard let output = outputs.last else {
            steps.fail("There was no output.", at: TestLocation(fileID, filePath, line, column))
            return self
        }
        try assertions(output)
        return self
    }

    /// Fails if there was an output.
    @discardableResult
    public func assertNoOutput(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> RenderTesterResult {
        for output in outputs {
            steps.fail(
                "Unexpected output: \(brief(output))",
                at: TestLocation(fileID, filePath, line, column))
        }
        return self
    }
}

extension RenderTesterResult where W.State: Equatable {
    /// Fails unless the state equals `expected`.
    @discardableResult
    public func assert(
        state expected: W.State, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> RenderTesterResult {
        steps.compare(
            "The state differs", expected, state, at: TestLocation(fileID, filePath, line, column))
        return self
    }

    /// Fails unless the state equals the initial state after `changes`.
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
        guard let output = outputs.last else {
            steps.fail("There was no output; expected \(brief(expected)).", at: place)
            return self
        }
        steps.compare("The output differs", expected, output, at: place)
        return self
    }
}
