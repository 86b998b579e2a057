import Subprocess
import WorkerKit

#if canImport(System)
    import System
    private typealias Path = System.FilePath
#else
    import SystemPackage
    private typealias Path = SystemPackage.FilePath
#endif

/// A program and its settings, validated and granted.
struct Command: Sendable {
    let configuration: Configuration
    let input: String?
    let timeout: Duration?

    /// - Throws: A `WorkerError` with the code `bad_input`, `not_granted` or `not_found`.
    init(_ input: CommandInput, context: WorkerContext) async throws {
        let arguments = input.arguments ?? []
        for text in [input.program, input.folder ?? ""] + arguments where text.utf8.contains(0) {
            throw WorkerError("bad_input", "\(text.debugDescription) has a zero byte in it")
        }
        timeout = try input.timeLimit()
        self.input = input.input
        let environment = try Variables.checked(input.environment ?? [:], context: context)
        let granted = try context.require(.process(input.program))
        let program = Program(input.program, granted: granted, folder: context.folder)
        var options = PlatformOptions()
        // This also makes a process group, which signals reach as a whole.
        options.createSession = true
        options.teardownSequence = ProcessGroup.teardown
        configuration = Configuration(
            executable: .path(Path(try await program.file())),
            arguments: Arguments(
                executablePathOverride: program.firstArgument, remainingValues: arguments),
            environment: .inherit.updating(environment),
            workingDirectory: Path(
                try input.folder.map { folder throws(WorkerError) in
                    try context.require(.fileRead(folder))
                } ?? context.folder),
            platformOptions: options)
    }
}

extension CommandInput {
    /// Even invalid UTF-8, which triples in size when it is repaired, fits an output.
    private static let mostBytes = 4 * 1024 * 1024

    /// Room for at least one character of any length and a line end.
    private static let leastBytes = 16

    fileprivate func timeLimit() throws(WorkerError) -> Duration? {
        guard let timeout else { return nil }
        guard timeout.isFinite, timeout > 0, timeout <= .mostSeconds else {
            throw WorkerError(
                "bad_input", "timeout is \(timeout)",
                help: "it can be any number of seconds above 0, up to \(Int(Double.mostSeconds))")
        }
        return .seconds(timeout)
    }

    /// The maximum number of bytes of program output in one output of the worker.
    func byteLimit(default usual: Int) throws(WorkerError) -> Int {
        let limit = maxBytes ?? usual
        try (Self.leastBytes...Self.mostBytes).check("max_bytes", limit)
        return limit
    }
}

struct CommandInput: Codable, Sendable {
    /// A name to look up in the host's search path, or a path.
    var program: String
    var arguments: [String]?
    /// The text for the program's standard input; empty by default.
    var input: String?
    /// The folder to run in; the flow's folder by default.
    var folder: String?
    /// Variables in addition to the host's.
    var environment: [String: String]?
    /// The maximum running time in seconds.
    var timeout: Double?
    /// The maximum number of bytes of program output in one output of the worker.
    var maxBytes: Int?

    enum CodingKeys: String, CodingKey {
        case program, arguments, input, folder, environment, timeout
        case maxBytes = "max_bytes"
    }
}
