public import Workflow

extension WorkflowAction {
    /// A tester that applies actions of this type to a state, with `workflow` as the inputs for
    /// those that read them.
    ///
    /// ```swift
    /// Search.Action.tester(withState: .init(text: "a"))
    ///     .send(action: .typed("ab"))
    ///     .assert(state: .init(text: "ab"))
    /// ```
    public static func tester(
        withState state: WorkflowType.State, workflow: WorkflowType? = nil
    ) -> ActionTester<Self> {
        ActionTester(state: state, workflow: workflow)
    }
}

/// Applies actions to a state one after another, and checks the results.
///
/// ```swift
/// Search.Action.tester(withState: .init())
///     .send(action: .typed("ab"))
///     .assert(state: .init(text: "ab"))
///     .verifyState { state in #expect(state.results.isEmpty) }
///     .assertNoOutput()
/// ```
///
/// Failures are test issues, in Swift Testing and in XCTest.
public struct ActionTester<Action: WorkflowAction> {
    /// The workflow of the actions.
    public typealias WorkflowType = Action.WorkflowType

    /// The state after the last action.
    public private(set) var state: WorkflowType.State
    /// The output of the last action.
    public private(set) var output: WorkflowType.Output?
    /// The error of the last action.
    public private(set) var error: (any Error)?

    private let workflow: WorkflowType?
    private let steps = TestSteps()

    init(state: WorkflowType.State, workflow: WorkflowType?) {
        self.state = state
        self.workflow = workflow
        steps.record("started with \(brief(state))")
    }

    /// Applies `action`. An action that throws leaves the state unchanged.
    ///
    /// An action that reads inputs fails the test if the tester has no workflow. It then gets zero,
    /// nil, or an empty string or collection.
    ///
    /// ```swift
    /// let text = tester.send(action: .typed("ab")).state.text  // ab
    /// ```
    ///
    /// - Warning: For an input of a type without such a value the process traps.
    @discardableResult
    public func send(
        action: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> ActionTester {
        var next = self
        next.output = nil
        next.error = nil
        let place = TestLocation(fileID, filePath, line, column)
        let context = ApplyContext(workflow: workflow) { type, message in
            steps.fail("While \(brief(action)) is applied, \(message).", at: place)
            return placeholder(for: type)
        }
        do {
            next.output = try action.apply(toState: &next.state, context: context)
        } catch {
            next.state = state
            next.error = error
        }
        steps.record("sent \(brief(action))")
        return next
    }

    /// Passes the state to `body`, which checks it.
    ///
    /// - Throws: The error of `body`.
    @discardableResult
    public func verifyState(_ body: (WorkflowType.State) throws -> Void) rethrows -> ActionTester {
        try body(state)
        return self
    }

    /// Passes the output of the last action to `body`, which checks it; fails if there is none.
    ///
    /// - Throws: The error of `body`.
    @discardableResult
    public func verifyOutput(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ body: (WorkflowType.Output) throws -> Void
    ) rethrows -> ActionTester {
        let place = TestLocation(fileID, filePath, line, column)
        try steps.require(output, or: "There was no output.", at: place).map(body)
        return self
    }

    /// Fails if the last action had an output.
    ///
    /// ```swift
    /// tester.send(action: .typed("ab")).assertNoOutput()
    /// ```
    @discardableResult
    public func assertNoOutput(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> ActionTester {
        let outputs = output.map { [$0] } ?? []
        steps.refuse("output", outputs, at: TestLocation(fileID, filePath, line, column))
        return self
    }

    /// Fails unless the last action threw an error that is described as `expected`.
    @discardableResult
    public func assertFailure(
        _ expected: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> ActionTester {
        let place = TestLocation(fileID, filePath, line, column)
        let absence = "The action did not fail; expected:\n  \(expected)"
        if let error = steps.require(error, or: absence, at: place) {
            steps.compare("The failure differs", expected, "\(error)", at: place)
        }
        return self
    }
}

extension ActionTester where WorkflowType.State: Equatable {
    /// Fails unless the state equals `expected`.
    ///
    /// ```swift
    /// tester.send(action: .typed("ab")).assert(state: .init(text: "ab"))
    /// ```
    @discardableResult
    public func assert(
        state expected: WorkflowType.State, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> ActionTester {
        let place = TestLocation(fileID, filePath, line, column)
        steps.compare("The state differs", expected, state, at: place)
        return self
    }
}

extension ActionTester where WorkflowType.Output: Equatable {
    /// Fails unless the output of the last action equals `expected`.
    @discardableResult
    public func assert(
        output expected: WorkflowType.Output, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> ActionTester {
        let place = TestLocation(fileID, filePath, line, column)
        steps.compare(output: expected, with: output, at: place)
        return self
    }
}
