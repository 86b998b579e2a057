// The spellings of workflow-swift where they differ; the guide
// "Coming from workflow-swift" lists them.

/// An alias of ``ClosureWorker``.
public typealias AsyncOperationWorker<Output: Sendable> = ClosureWorker<Output>

/// An alias of ``StreamingWorker``.
public typealias AsyncSequenceWorker = StreamingWorker

extension AnyWorkflowConvertible {
    /// Maps the outputs of this child; for places that need an ``AnyWorkflow``.
    @_disfavoredOverload
    public func mapOutput<NewOutput>(
        _ transform: @escaping (Output) -> NewOutput
    ) -> AnyWorkflow<Rendering, NewOutput> {
        AnyWorkflow(OutputMappedWorkflow(base: self, transform: .total(transform)))
    }

    /// Maps the rendering of this child; for places that need an ``AnyWorkflow``.
    @_disfavoredOverload
    public func mapRendering<NewRendering>(
        _ transform: @escaping (Rendering) -> NewRendering
    ) -> AnyWorkflow<NewRendering, Output> {
        AnyWorkflow(RenderingMappedWorkflow(base: self, transform: transform))
    }

    /// Handles each output of this child like an action of the parent, as an ``AnyWorkflow``.
    @_disfavoredOverload
    public func onOutput<Parent: Workflow>(
        _ apply: @escaping (inout Parent.State, Output) throws -> Parent.Output?
    ) -> AnyWorkflow<Rendering, AnyWorkflowAction<Parent>> {
        AnyWorkflow(onOutput(apply) as OutputMappedWorkflow<Self, AnyWorkflowAction<Parent>>)
    }

    /// Drops the outputs of this child; for places that need an ``AnyWorkflow``.
    @_disfavoredOverload
    public func ignoringOutput() -> AnyWorkflow<Rendering, Never> {
        AnyWorkflow(ignoringOutput() as OutputMappedWorkflow<Self, Never>)
    }
}

extension AnyWorkflowConvertible where Output == Never {
    /// This child, which emits nothing, as one with outputs of type `NewOutput`.
    public func mapOutput<NewOutput>(to type: NewOutput.Type) -> AnyWorkflow<Rendering, NewOutput> {
        AnyWorkflow(OutputMappedWorkflow(base: self, transform: .total(anything)))
    }
}

/// Maps a value that cannot exist.
private func anything<T>(from value: Never) -> T {}

extension WorkflowHost {
    /// Makes a host with `observers`, and renders `workflow` for the first time.
    @inlinable
    public convenience init(
        workflow: WorkflowType, observers: [any WorkflowObserver],
        isolation: isolated (any Actor)? = #isolation
    ) {
        var configuration = HostConfiguration()
        configuration.observers = observers
        self.init(workflow: workflow, configuration: configuration, isolation: isolation)
    }
}
