extension RenderContext {
    /// Runs `worker`, whose outputs are actions of this workflow.
    ///
    /// - Parameters:
    ///   - worker: What to run.
    ///   - key: Tells workers of one type apart.
    public func awaitResult<W: EmittingWorker>(
        for worker: W, key: String = "", file: StaticString = #fileID, line: UInt = #line
    ) where W.Output: WorkflowAction, W.Output.WorkflowType == WorkflowType {
        worker.running(in: self, key: key, file: file, line: line)
    }

    /// Runs `worker` and applies the action that `outputMap` makes of each output.
    public func awaitResult<W: EmittingWorker, Action: WorkflowAction>(
        for worker: W, key: String = "", file: StaticString = #fileID, line: UInt = #line,
        outputMap: @escaping (W.Output) throws -> Action?
    ) where Action.WorkflowType == WorkflowType {
        worker.running(in: self, key: key, file: file, line: line, outputMap: outputMap)
    }

    /// Runs `worker` and handles each output as if it were an action of this workflow.
    ///
    /// - Parameter onOutput: Advances the state; what it returns is this workflow's output.
    public func awaitResult<W: EmittingWorker>(
        for worker: W, key: String = "", file: StaticString = #fileID, line: UInt = #line,
        onOutput: @escaping (W.Output, inout WorkflowType.State) throws -> WorkflowType.Output?
    ) {
        worker.running(in: self, key: key, file: file, line: line) { output in
            AnyWorkflowAction<WorkflowType> { state, _ in try onOutput(output, &state) }
        }
    }
}
