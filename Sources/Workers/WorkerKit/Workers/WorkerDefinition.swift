public import PlainValue

/// A type-erased worker, for listing, checking and running workers.
///
/// ```swift
/// let worker = WorkerDefinition(Lines())
/// let outputs = WorkerEmitter<Value> { value in await found.add(value) }
/// try await worker.run(
///     ["text": "roses\nviolets"], context: WorkerContext(), outputs: outputs)
/// ```
public struct WorkerDefinition: Sendable {
    /// The name in flows.
    public let name: String
    /// One line about the work of the worker.
    public let summary: String
    /// The shape of the input.
    public var input: ValueSchema { lazyInput.schema }
    /// The shape of an output.
    public var output: ValueSchema { lazyOutput.schema }
    /// The access that a run needs and the user must grant.
    public let needs: [WorkerNeed]

    private let lazyInput, lazyOutput: LazySchema
    private let body: Body

    /// The work of one run, like ``EmittingPluginWorker/run(_:context:outputs:)``.
    public typealias Body =
        @Sendable (Value, WorkerContext, WorkerEmitter<Value>) async throws -> Void

    /// Makes a worker from its parts. By default it takes and gives any values, and needs nothing.
    ///
    /// ```swift
    /// let echo = WorkerDefinition(name: "test.echo", summary: "Gives its input back.") {
    ///     input, _, outputs in try await outputs.send(input)
    /// }
    /// ```
    ///
    /// - Parameter body: Does the work of one run, in a task that is cancelled to stop it.
    public init(
        name: String, summary: String, input: ValueSchema = .any, output: ValueSchema = .any,
        needs: [WorkerNeed] = [], body: @escaping Body
    ) {
        self.init(name, summary, LazySchema { input }, LazySchema { output }, needs, body)
    }

    private init(
        _ name: String, _ summary: String, _ input: LazySchema, _ output: LazySchema,
        _ needs: [WorkerNeed], _ body: @escaping Body
    ) {
        self.name = name
        self.summary = summary
        lazyInput = input
        lazyOutput = output
        self.needs = needs
        self.body = body
    }

    /// Makes the definition of a worker. Its schemas are computed on first use.
    public init<Worker: EmittingPluginWorker>(_ worker: Worker) {
        self.init(
            Worker.name, Worker.summary, LazySchema { Worker.inputSchema },
            LazySchema { Worker.outputSchema }, Worker.needs
        ) { input, context, outputs in
            let input = try Self.decode(Worker.Input.self, from: input)
            try await worker.run(input, context: context, outputs: WorkerEmitter(outputs))
        }
    }

    /// Checks the shape of an input without running the worker.
    ///
    /// ```swift
    /// try worker.check(["text": 7])  // throws expected a string at text, found an integer
    /// ```
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input` and the place of the fault.
    public func check(_ input: Value) throws(WorkerError) { try self.input.check(input) }

    /// Does the work of one run. It does not check the shape of the input.
    ///
    /// - Parameters:
    ///   - input: The input; the caller has to ``check(_:)`` it before.
    ///   - context: The clock, log, folder and grants of the run.
    ///   - outputs: Receives the outputs, and waits while the flow has too many.
    /// - Throws: `CancellationError` if it was cancelled, otherwise the error of the run.
    public func run(
        _ input: Value, context: WorkerContext, outputs: WorkerEmitter<Value>
    ) async throws {
        try await body(input, context, outputs)
    }

    private static func decode<Input: Decodable>(
        _ type: Input.Type, from value: Value
    ) throws -> Input {
        do {
            return try ValueDecoder().decode(type, from: value)
        } catch let error as DecodingError {
            throw WorkerError("bad_input", codingReason(error))
        }
    }
}
