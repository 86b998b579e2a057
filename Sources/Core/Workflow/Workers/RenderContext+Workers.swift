extension RenderContext {
    /// Runs `worker`, and applies its outputs as actions of this workflow.
    ///
    /// ```swift
    /// context.awaitResult(for: ClosureWorker { Action.found(["abacus"]) }, key: "first")
    /// ```
    ///
    /// - Parameter key: Distinguishes workers of one type.
    public func awaitResult<W: EmittingWorker>(
        for worker: W, key: String = "", file: StaticString = #fileID, line: UInt = #line
    ) where W.Output: WorkflowAction, W.Output.WorkflowType == WorkflowType {
        worker.running(in: self, key: key, file: file, line: line)
    }

    /// Runs `worker`, maps each output with `outputMap` to an action, and applies that.
    ///
    /// ```swift
    /// context.awaitResult(for: LookUp(text: "ab")) { Action.found($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: Distinguishes workers of one type.
    ///   - outputMap: Called with each output; `nil` means no action. An error makes the cascade
    ///     fail.
    public func awaitResult<W: EmittingWorker, Action: WorkflowAction>(
        for worker: W, key: String = "", file: StaticString = #fileID, line: UInt = #line,
        outputMap: @escaping (W.Output) throws -> Action?
    ) where Action.WorkflowType == WorkflowType {
        worker.running(in: self, key: key, file: file, line: line, outputMap: outputMap)
    }

    /// Runs `worker`, and handles each output like an action of this workflow.
    ///
    /// ```swift
    /// context.awaitResult(for: LookUp(text: "ab")) { found, state in
    ///     state.results = found
    ///     return nil
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: Distinguishes workers of one type.
    ///   - onOutput: Changes the state and returns this workflow's output.
    public func awaitResult<W: EmittingWorker>(
        for worker: W, key: String = "", file: StaticString = #fileID, line: UInt = #line,
        onOutput: @escaping (W.Output, inout WorkflowType.State) throws -> WorkflowType.Output?
    ) {
        worker.running(in: self, key: key, file: file, line: line) { output in
            AnyWorkflowAction<WorkflowType> { state, _ in try onOutput(output, &state) }
        }
    }
}
