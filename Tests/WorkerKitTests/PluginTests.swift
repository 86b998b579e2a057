import PlainValue
import Synchronization
import Testing
import WorkerKit

private struct Greet: PluginWorker {
    static let name = "greeter.greet"
    static let summary = "Greets somebody."
    struct Input: Codable, Sendable { var name: String }

    func run(_ input: Input, context: WorkerContext) async throws -> String {
        guard !input.name.isEmpty else {
            throw WorkerError("nameless", "there is nobody to greet", help: "give a name")
        }
        context.log.info("greeting \(input.name)")
        return "Hello, \(input.name)!"
    }
}

private struct Count: StreamingPluginWorker {
    static let name = "greeter.count"
    static let summary = "Counts."
    struct Input: Codable, Sendable { var to: UInt8 }
    struct Output: Codable, Sendable { var number: Int }

    func run(_ input: Input, context: WorkerContext) -> AsyncStream<Output> {
        AsyncStream { continuation in
            for number in 1...Int(input.to) { continuation.yield(Output(number: number)) }
            continuation.finish()
        }
    }
}

private struct Infinity: PluginWorker {
    static let name = "greeter.infinity"
    static let summary = "Gives what is no value."
    struct Input: Codable, Sendable {}
    func run(_ input: Input, context: WorkerContext) async throws -> UInt64 { .max }
}

private func outputs(
    of worker: any EmittingPluginWorker, _ input: Value, context: WorkerContext = WorkerContext()
) async throws -> [Value] {
    let all = Mutex<[Value]>([])
    try await WorkerDefinition(worker).run(
        input, context: context,
        outputs: WorkerEmitter { value in all.withLock { $0.append(value) } })
    return all.withLock { $0 }
}

@Suite struct PluginTests {
    @Test func aPluginListsItsWorkersWithTheirShapes() {
        let plugin = Plugin("greeter", version: "1.0.0", workers: [Greet(), Count()])
        #expect(
            plugin.workers.map { "\($0.name): \($0.input) -> \($0.output)" } == [
                "greeter.greet: { name: string } -> string",
                "greeter.count: { to: integer } -> { number: integer }",
            ])
    }

    @Test func aWorkerGivesOneOutput() async throws {
        let lines = Mutex<[String]>([])
        let log = WorkerLogger { level, line in lines.withLock { $0.append("\(level): \(line)") } }
        let found = try await outputs(
            of: Greet(), ["name": "Ada"], context: WorkerContext(log: log))
        #expect(found == ["Hello, Ada!"])
        #expect(lines.withLock { $0 } == ["info: greeting Ada"])
    }

    @Test func aStreamingWorkerGivesEachElement() async throws {
        #expect(
            try await outputs(of: Count(), ["to": 3])
                == [["number": 1], ["number": 2], ["number": 3]])
    }

    @Test func aDescribedErrorArrivesAsItIs() async throws {
        let error = await #expect(throws: WorkerError.self) {
            try await outputs(of: Greet(), ["name": ""])
        }
        #expect(
            error?.value == [
                "code": "nameless", "message": "there is nobody to greet", "help": "give a name",
            ])
    }

    @Test func anInputThatTheTypeRefusesIsADescribedError() async {
        await #expect(throws: WorkerError("bad_input", "1000 at to does not fit UInt8")) {
            try await outputs(of: Count(), ["to": 1000])
        }
    }

    @Test func anOutputThatIsNoValueIsADescribedError() async {
        await #expect(
            throws: WorkerError(
                "bad_output",
                "an output must be a plain value: 18446744073709551615 does not fit 64 bits")
        ) { try await outputs(of: Infinity(), [:]) }
    }

    @Test func aContextRefusesWhatIsNotGranted() {
        let error = #expect(throws: WorkerError.self) {
            try WorkerContext().require(.process("git"))
        }
        #expect(
            error
                == WorkerError(
                    "not_granted", "process=git is not granted",
                    help: #"grant it with Grant("process", "git")"#))
    }
}
