// The spellings of workflow-swift where they differ; see "Coming from workflow-swift".

/// An alias of ``ClosureWorker``.
public typealias AsyncOperationWorker<Output: Sendable> = ClosureWorker<Output>

/// An alias of ``StreamingWorker``.
public typealias AsyncSequenceWorker = StreamingWorker

extension AnyWorkflowConvertible {
    /// Maps the outputs of this child; for places that need an ``AnyWorkflow``.
    ///
    /// ```swift
    /// let lookUp: AnyWorkflow<Void, Action> = LookUp(text: "ab").mapOutput { .found($0) }
    /// ```
    @_disfavoredOverload
    public func mapOutput<NewOutput>(
        _ transform: @escaping (Output) -> NewOutput
    ) -> AnyWorkflow<Rendering, NewOutput> {
        AnyWorkflow(OutputMappedWorkflow(base: self, transform: .total(transform)))
    }

    /// Maps the rendering of this child; for places that need an ``AnyWorkflow``.
    ///
    /// ```swift
    /// let title: AnyWorkflow<String, Never> = Counter(step: 1).mapRendering { "\($0.count)" }
    /// ```
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
    ///
    /// ```swift
    /// let quiet: AnyWorkflow<Void, Never> = LookUp(text: "ab").ignoringOutput()
    /// ```
    @_disfavoredOverload
    public func ignoringOutput() -> AnyWorkflow<Rendering, Never> {
        AnyWorkflow(ignoringOutput() as OutputMappedWorkflow<Self, Never>)
    }
}

extension AnyWorkflowConvertible where Output == Never {
    /// This child, which emits nothing, as one with outputs of type `NewOutput`.
    ///
    /// ```swift
    /// let title = Stopwatch().mapOutput(to: Action.self)  // AnyWorkflow<String, Action>
    /// ```
    public func mapOutput<NewOutput>(to type: NewOutput.Type) -> AnyWorkflow<Rendering, NewOutput> {
        AnyWorkflow(OutputMappedWorkflow(base: self, transform: .total(anything)))
    }
}

private func anything<T>(from value: Never) -> T {}

extension WorkflowHost {
    /// Makes a host with `observers`, and renders `workflow` for the first time.
    ///
    /// ```swift
    /// let host = WorkflowHost(workflow: Counter(step: 2), observers: [ActionPrinter()])
    /// ```
    @inlinable
    public convenience init(
        workflow: WorkflowType, observers: [any WorkflowObserver],
        isolation: isolated (any Actor)? = #isolation
    ) {
        var options = HostOptions()
        options.observers = observers
        self.init(workflow: workflow, options: options, isolation: isolation)
    }
}
