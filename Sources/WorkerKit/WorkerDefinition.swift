public import PlainValue

/// A worker with its types erased: what lists, checks and runs of workers need.
public struct WorkerDefinition: Sendable {
    /// The name in flows.
    public let name: String
    /// One line that says what the worker does.
    public let summary: String
    /// The shape of the input.
    public var input: ValueSchema { lateInput.schema }
    /// The shape of an output.
    public var output: ValueSchema { lateOutput.schema }
    /// What a run reaches and the user has to grant.
    public let needs: [WorkerNeed]

    private let lateInput, lateOutput: LateSchema
    private let body: Body

    /// Does the work of one run, as ``EmittingPluginWorker/run(_:context:outputs:)`` does.
    public typealias Body =
        @Sendable (Value, WorkerContext, WorkerEmitter<Value>) async throws -> Void

    /// A worker from its parts.
    public init(
        name: String, summary: String, input: ValueSchema = .any, output: ValueSchema = .any,
        needs: [WorkerNeed] = [], body: @escaping Body
    ) {
        self.init(name, summary, LateSchema { input }, LateSchema { output }, needs, body)
    }

    private init(
        _ name: String, _ summary: String, _ input: LateSchema, _ output: LateSchema,
        _ needs: [WorkerNeed], _ body: @escaping Body
    ) {
        self.name = name
        self.summary = summary
        lateInput = input
        lateOutput = output
        self.needs = needs
        self.body = body
    }

    /// The definition of a worker. Its schemas are asked for when they are first needed.
    public init<Worker: EmittingPluginWorker>(_ worker: Worker) {
        self.init(
            Worker.name, Worker.summary, LateSchema { Worker.inputSchema },
            LateSchema { Worker.outputSchema }, Worker.needs
        ) { input, context, outputs in
            let input = try Self.decode(Worker.Input.self, from: input)
            try await worker.run(
                input, context: context, outputs: WorkerEmitter { try await outputs.send($0) })
        }
    }

    /// Checks the shape of an input, without running anything.
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input` and the place of the fault.
    public func check(_ input: Value) throws(WorkerError) { try self.input.check(input) }

    /// Does the work of one run.
    ///
    /// - Throws: `CancellationError` when it was cancelled, otherwise what makes the run fail.
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
