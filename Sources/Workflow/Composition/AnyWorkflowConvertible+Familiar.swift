// The spellings of workflow-swift where they differ; see <doc:ComingFromWorkflowSwift>.

/// Another name of ``ClosureWorker``.
public typealias AsyncOperationWorker<Output: Sendable> = ClosureWorker<Output>

/// Another name of ``StreamingWorker``.
public typealias AsyncSequenceWorker = StreamingWorker

extension AnyWorkflowConvertible {
    /// This child with its outputs turned into others, where an ``AnyWorkflow`` is wanted.
    @_disfavoredOverload
    public func mapOutput<NewOutput>(
        _ transform: @escaping (Output) -> NewOutput
    ) -> AnyWorkflow<Rendering, NewOutput> {
        AnyWorkflow(OutputMappedWorkflow(base: self, transform: .total(transform)))
    }

    /// This child with its rendering turned into another, where an ``AnyWorkflow`` is wanted.
    @_disfavoredOverload
    public func mapRendering<NewRendering>(
        _ transform: @escaping (Rendering) -> NewRendering
    ) -> AnyWorkflow<NewRendering, Output> {
        AnyWorkflow(RenderingMappedWorkflow(base: self, transform: transform))
    }

    /// This child with each output handled as if it were an action of the parent, where an ``AnyWorkflow`` is wanted.
    @_disfavoredOverload
    public func onOutput<Parent: Workflow>(
        _ apply: @escaping (inout Parent.State, Output) throws -> Parent.Output?
    ) -> AnyWorkflow<Rendering, AnyWorkflowAction<Parent>> {
        AnyWorkflow(onOutput(apply) as OutputMappedWorkflow<Self, AnyWorkflowAction<Parent>>)
    }

    /// This child with its outputs dropped, where an ``AnyWorkflow`` is wanted.
    @_disfavoredOverload
    public func ignoringOutput() -> AnyWorkflow<Rendering, Never> {
        AnyWorkflow(ignoringOutput() as OutputMappedWorkflow<Self, Never>)
    }
}

extension AnyWorkflowConvertible where Output == Never {
    /// This child, which emits nothing, for a place where one with outputs of a type is wanted.
    public func mapOutput<NewOutput>(to type: NewOutput.Type) -> AnyWorkflow<Rendering, NewOutput> {
        AnyWorkflow(OutputMappedWorkflow(base: self, transform: .total(anything)))
    }
}

/// What comes of a value that there cannot be.
private func anything<T>(from value: Never) -> T {}

extension WorkflowHost {
    /// Makes a host that tells `observers` of every step, and renders `workflow` for the first time.
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
